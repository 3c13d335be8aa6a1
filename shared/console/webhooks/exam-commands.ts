import { quote } from '../../story/commands.ts';
import type { ShownQuestionGroup } from '../../story/exam-groups.ts';
import { examTexts } from './exam-texts.ts';

const { addresses: addressTexts } = examTexts;

/** The shop in the command at first: the sample shops have these addresses. */
const SHOP = 'http://127.0.0.1:3000';

/** What the exam is to do. */
export interface ExamChoice {
  /** Addresses of the shop by their options. One that is empty is left out. */
  readonly addresses: Readonly<Record<'receiver' | 'order' | 'probe', string>>;
  /** The groups that are asked; null for every question. */
  readonly groups: readonly ShownQuestionGroup['group'][] | null;
  /** The reports that are written. */
  readonly reports: readonly ExamReportOption[];
}
type ExamReportOption = keyof typeof REPORT_FILES;

/** The files of the reports, by their options. */
export const REPORT_FILES = { report: 'exam.json', html: 'exam.html', junit: 'exam.xml' } as const;

/** The report is written as JSON, which this page opens. */
export const FIRST_CHOICE: ExamChoice = {
  addresses: { receiver: `${SHOP}/webhooks`, order: `${SHOP}/orders`, probe: `${SHOP}/probe` },
  groups: null,
  reports: ['report'],
};

/**
 * The one command that examines a shop as it was chosen.
 * @param base the address of the service
 * @param key the API key, or what is shown in its place
 */
export function examCommand(base: string, key: string, { addresses, groups, reports }: ExamChoice): string {
  const given = Object.entries(addresses).filter(([, address]) => address.trim() !== '');
  const options = [
    ...given.map(([name, address]) => `--${name} ${quoteIfNeeded(address.trim())}`),
    ...(groups === null || groups.length === 0 ? [] : [`--only ${groups.join(',')}`]),
    ...reports.map((name) => `--${name} ${REPORT_FILES[name]}`),
  ];
  const service = `PG_BASE_URL=${quoteIfNeeded(base)} PG_KEY=${key}`;
  return [`${service} pg exam`, ...options].join(' \\\n  ');
}

/** What a shell reads as it stands needs no quotes. */
function quoteIfNeeded(text: string): string {
  return /^[\w:/.%@+-]+$/.test(text) ? text : quote(text);
}

/** What the exam sends to the two addresses of the shop for tests, and what the shop responds. */
export const EXAM_ADDRESSES = [
  {
    option: '--order',
    text: addressTexts.order,
    name: addressTexts.orderRequest('--order'),
    json: { reference: 'exam-1', amount: { currency: 'THB', minor: 129_900 } },
  },
  {
    option: '--probe',
    text: addressTexts.probe,
    name: addressTexts.probeResponse('GET --probe?reference=exam-1'),
    json: { paid: true, fulfilled: 1, refunded_minor: 0 },
  },
] as const;
