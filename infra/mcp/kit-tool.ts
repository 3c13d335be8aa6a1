import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { ConnectionError, ProblemError } from '../../shared/client/call-error.ts';
import { toFieldErrors } from '../../shared/http/field-errors.ts';
import { CHECK_SERVICE, failureFields } from '../terminal/failure-fields.ts';
import type { McpService } from './mcp-service.ts';
import { dataResult, errorResult } from './tool-result.ts';

/** What a call has beside its arguments. */
export interface CallContext {
  /** Aborted when the host cancels the call. */
  readonly signal: AbortSignal;
  /** Says how far the call is: so many of a total, and what was the last. */
  readonly onProgress: (done: number, total: number, last: string) => void;
}

/** What a tool of the kit found. */
interface KitResult {
  readonly data: object;
  /** By default the data as JSON. */
  readonly text?: string;
  readonly isError?: boolean;
}

/** A tool that is no operation: it does what a command of `pg` does. */
export interface KitTool {
  readonly tool: Tool;
  /**
   * Whatever is wrong becomes a result that a model can read.
   * @throws the signal's reason, once the host has canceled the call
   */
  readonly call: (service: McpService, given: object, context: CallContext) => Promise<CallToolResult>;
}

interface KitToolForm<Given extends v.GenericSchema>
  extends Pick<Tool, 'name' | 'title' | 'description' | 'annotations'> {
  readonly takes: Given;
  readonly run: (
    service: McpService,
    given: v.InferOutput<Given>,
    context: CallContext,
  ) => Promise<KitResult>;
}

/** Makes a tool of what it takes, which becomes its input schema, and of what it does. */
export function kitTool<Given extends v.GenericSchema>(form: KitToolForm<Given>): KitTool {
  const { takes, run, ...described } = form;
  return {
    tool: { ...described, inputSchema: inputSchemaOf(takes) as Tool['inputSchema'] },
    call: async (service, given, context) => {
      try {
        const { data, text, isError = false } = await run(service, readGiven(form, given), context);
        return isError ? errorResult(data) : dataResult(data, text);
      } catch (error) {
        context.signal.throwIfAborted();
        return errorResult(describeFailure(error));
      }
    },
  };
}

function inputSchemaOf(takes: v.GenericSchema): object {
  const { $schema: _, ...schema } = toJsonSchema(takes, { target: 'draft-2020-12', errorMode: 'throw' });
  return schema;
}

/** @throws TypeError that names every argument that is wrong */
function readGiven<Given extends v.GenericSchema>(
  { name, takes }: KitToolForm<Given>,
  given: object,
): v.InferOutput<Given> {
  const parsed = v.safeParse<v.GenericSchema>(takes, given);
  if (parsed.success) {
    return parsed.output as v.InferOutput<Given>;
  }
  const errors = toFieldErrors(takes, parsed.issues, given);
  throw new TypeError(`${name}: ${errors.map(({ field, message }) => `${field} ${message}.`).join(' ')}`);
}

/** Without an Idempotency-Key: each call works in a world of its own, or reads alone. */
function describeFailure(error: unknown): object {
  if (error instanceof ProblemError || error instanceof ConnectionError) {
    const { idempotency_key: _, ...fields } = failureFields(error);
    return error instanceof ConnectionError
      ? { ...fields, detail: `${fields.detail} ${CHECK_SERVICE}` }
      : fields;
  }
  return { detail: error instanceof Error ? error.message : String(error) };
}
