import type { CallToolResult } from '@modelcontextprotocol/server';

/** What a tool returns: the data, and as text what a host shows that reads no data. @param text by default the data as JSON */
export function dataResult(data: object, text: string = jsonOf(data)): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...data } };
}

/** What a model reads of a call that was refused or has failed. */
export function errorResult(fields: object): CallToolResult {
  return { content: [{ type: 'text', text: jsonOf(fields) }], isError: true };
}

function jsonOf(data: object): string {
  return JSON.stringify(data, null, 2);
}
