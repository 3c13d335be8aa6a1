import { BALANCE_CURRENCY } from '../../domain/balance.ts';
import { ENDPOINT_URL_FAULTS, type EndpointUrlFault } from '../../domain/endpoint-url-faults.ts';
import { formatMoney, grouped } from '../../story/amounts.ts';
import type { Schema } from '../../story/read-operations.ts';
import { isNumber } from '../call/form-values.ts';
import type { ShownFault } from '../call/gate.ts';
import { actTexts } from './act-texts.ts';

const texts = actTexts.faults;
/** How the service states a bound (`http/field-errors.ts`). */
const BOUND = /^must (?:be|have) at (?:least|most) (-?\d+)(?: [a-z()]+)?$/;
const NO_FORMAT = 'has an invalid format';

/** What is wrong with a field in the words of people; null where only the service's own message says it. */
export function faultText(fault: ShownFault, schema: Schema): string | null {
  const { code, field, message } = fault;
  switch (code) {
    case 'required':
    case 'enum':
    case 'unknown':
      return texts[code];
    case 'min':
    case 'max':
    case 'too_short':
    case 'too_long': {
      const bound = BOUND.exec(message)?.[1];
      return bound === undefined ? null : texts[code](boundText(field, bound));
    }
    case 'type':
    case 'format':
      return formatText(fault, schemaAt(schema, field));
    case 'conflict':
      return field === 'amount.min' ? texts.bounds : null;
    case 'forbidden':
      return forbiddenText(message);
    default:
      return null;
  }
}

function forbiddenText(message: string): string | null {
  const faults = Object.entries(ENDPOINT_URL_FAULTS) as [EndpointUrlFault, string][];
  const known = faults.find(([, said]) => said === message);
  return known === undefined ? null : texts.endpointUrl[known[0]];
}

function boundText(field: string, bound: string): string {
  return field.endsWith('.minor')
    ? formatMoney({ currency: BALANCE_CURRENCY, minor: Number(bound) })
    : grouped(bound);
}

function formatText({ code, message }: ShownFault, schema: Schema): string | null {
  const formats: Readonly<Record<string, string>> = texts.formats;
  const known = isNumber(schema) ? texts.formats.integer : formats[schema.format ?? ''];
  return known ?? (code === 'type' || message === NO_FORMAT ? texts.format : null);
}

function schemaAt(schema: Schema, path: string): Schema {
  return path.split('.').reduce((held, step) => held.properties?.[step] ?? held, schema);
}
