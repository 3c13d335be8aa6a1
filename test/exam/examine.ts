import { signerOf } from '../../infra/events/signing-secret.ts';
import type { ExamLimits } from '../../infra/exam/patience.ts';
import { QUESTION_IDS, runExam } from '../../infra/exam/run-exam.ts';
import { createClient } from '../../shared/client/client.ts';
import type { QuestionId } from '../../shared/contract/testkit/exam-questions.ts';
import type { SchemeName } from '../../shared/webhooks/signature-schemes.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';

/** The questions, how they are asked, and whether the shop has its addresses for tests. */
export interface Examination {
  readonly seed?: number;
  readonly ids?: readonly QuestionId[];
  readonly limits?: ExamLimits;
  readonly isHttpOnly?: boolean;
  readonly scheme?: SchemeName;
}

/** Examines a running shop in a world of its own. @returns the report, and the client of the key that made the world */
export async function examine(
  url: string,
  secret: string,
  { seed = 1, ids = QUESTION_IDS, limits, isHttpOnly = false, scheme }: Examination = {},
) {
  const client = createClient({ baseUrl, key: (await newKey()).secret });
  const report = await runExam(
    { client, baseUrl },
    {
      shop: {
        receiver: `${url}/webhooks`,
        order: isHttpOnly ? null : `${url}/orders`,
        probe: isHttpOnly ? null : `${url}/probe`,
      },
      signer: signerOf(secret, scheme),
      seed,
      ids,
      ...(limits && { limits }),
    },
  );
  return { report, client };
}
