import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Operation } from '../contract/operation.ts';
import type { Problem } from '../errors/problem.ts';
import { type CallContext, callOf } from './call.ts';
import { frame, type LambdaHandler, type Params, toAnswer } from './frame.ts';
import { parse } from './parse.ts';
import type { Answer } from './responder.ts';

/** What a public page is given: its address, and nothing about a caller. */
export interface PageRequest<Row extends Operation> {
  readonly params: Params<Row['path']>;
  readonly baseUrl: string;
  readonly realNowMs: number;
}

/**
 * Makes a Lambda function of a row that asks for no key.
 * @param headers of a page that needs other ones than every page has, such as a policy of its own
 */
export function servePage<const Row extends Operation>(
  row: Row,
  render: (request: PageRequest<Row>) => Promise<string>,
  headers: Answer['headers'] = {},
): LambdaHandler {
  const run = async (_event: unknown, context: CallContext): Promise<Answer> => {
    const call = callOf(context);
    const params = call.input?.params as Params<Row['path']>;
    const body = await render({ params, baseUrl: call.baseUrl, realNowMs: call.startedAtMs });
    return { ...toAnswer(row, body), headers };
  };
  return frame(row)
    .use(parse(row))
    .handler(run as never) as unknown as LambdaHandler;
}

/** Answers only with problems: for addresses that are nobody's. */
export function serveProblem(find: (event: APIGatewayProxyEvent) => Problem): LambdaHandler {
  const run = async (event: APIGatewayProxyEvent): Promise<never> => {
    throw find(event);
  };
  return frame({ id: 'service.UnknownRoute', storage: 'none' }).handler(
    run as never,
  ) as unknown as LambdaHandler;
}
