import { quote } from '../../story/commands.ts';
import { examTexts } from './exam-texts.ts';

const { commands: commandTexts, addresses: addressTexts } = examTexts;

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
      name: commandTexts.nameService,
      text: `export PG_BASE_URL=${quote(base)}\nexport PG_KEY=pg_test_your_key`,
    },
    { name: commandTexts.printSecret, text: 'pg exam --print-secret' },
    { name: commandTexts.askAll, text: EXAM },
    { name: commandTexts.askSome, text: `${EXAM} \\\n  --only DUP,ORD-03` },
    { name: commandTexts.repeat, text: `${EXAM} \\\n  --seed 7` },
    {
      name: commandTexts.writeReports,
      text: `${EXAM} \\\n  --report exam.json --junit exam.xml --html exam.html`,
    },
  ];
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
