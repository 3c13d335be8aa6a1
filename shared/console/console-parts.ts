import { createActions } from './actions.ts';
import { createAnswerView } from './answer-view.ts';
import { createCalls } from './calls.ts';
import { createConfirmation } from './confirmation.ts';
import { createDialogs } from './dialogs.ts';
import { createElements } from './elements.ts';
import { createEndpointsView } from './endpoints-view.ts';
import { createFormDialog } from './form-dialog.ts';
import { createGate } from './gate.ts';
import { judgeKey } from './judge-key.ts';
import { createKnownIds } from './known-ids.ts';
import { createLiveView } from './live-view.ts';
import { createMerchantClock } from './merchant-clock.ts';
import { createPolling } from './polling.ts';
import { readOperations } from './read-operations.ts';
import { createReceiverCards } from './receiver-cards.ts';
import { createSchemaForm } from './schema-form.ts';
import { uuidV7 } from './uuid-v7.ts';
import { createWorkbench } from './workbench.ts';

/*
 * The browser gets the source of these functions from Node or the bundler, without types and without a separate build.
 * So each must be self-contained: it gets code of other files as arguments, and declares its constants inside.
 */
export const CONSOLE_PARTS = {
  createActions,
  createAnswerView,
  createCalls,
  createConfirmation,
  createDialogs,
  createElements,
  createEndpointsView,
  createFormDialog,
  createGate,
  createKnownIds,
  createLiveView,
  createMerchantClock,
  createPolling,
  createReceiverCards,
  createSchemaForm,
  createWorkbench,
  judgeKey,
  readOperations,
  uuidV7,
};

export type ConsoleParts = typeof CONSOLE_PARTS;
