import { quote } from '../../story/commands.ts';

/** Commands of the exam to copy, and what they are for. */
export interface ExamCommand {
  readonly name: string;
  readonly text: string;
}

/** The shop in the commands: the sample shops of the repository have these paths. */
const SHOP = 'http://127.0.0.1:3000';
const EXAM = `pg exam --receiver ${SHOP}/webhooks \\\n  --order ${SHOP}/orders \\\n  --probe ${SHOP}/probe`;

/**
 * The commands that examine a shop, in the order in which one runs them. The API key is a variable, since a copied
 * command may be pasted anywhere.
 * @param base the address of the service
 */
export function examCommands(base: string): ExamCommand[] {
  return [
    {
      name: 'Name this service',
      text: `export PG_BASE_URL=${quote(base)}\nexport PG_KEY=pg_test_your_key`,
    },
    { name: 'Print the signing secret for your shop', text: 'pg exam --print-secret' },
    { name: 'Ask every question', text: EXAM },
    { name: 'Ask some questions, by their ids or groups', text: `${EXAM} \\\n  --only DUP,ORD-03` },
    { name: 'Repeat an exam, by the seed that its report names', text: `${EXAM} \\\n  --seed 7` },
    {
      name: 'Write reports for programs, CI and people',
      text: `${EXAM} \\\n  --report exam.json --junit exam.xml --html exam.html`,
    },
  ];
}

/** What the exam sends to the two addresses of the shop for tests, and what the shop responds. */
export const EXAM_ADDRESSES = [
  {
    option: '--order',
    text: 'opens an order. A status from 200 to 299 says that the order is open. The exam creates its payment with the same reference.',
    name: 'POST to --order',
    json: { reference: 'exam-1', amount: { currency: 'THB', minor: 129_900 } },
  },
  {
    option: '--probe',
    text: 'says what became of an order: whether it is paid, how often its goods went out, and how much was given back. Status 404 says that the order is unknown.',
    name: 'Response to GET --probe?reference=exam-1',
    json: { paid: true, fulfilled: 1, refunded_minor: 0 },
  },
] as const;
