import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import type { Client } from '../../shared/client/client.ts';
import type { OpenApiDocument } from '../../shared/contract/openapi-document.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { callTool } from './call-tool.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { resourcesOf } from './resources.ts';
import { toolsOf } from './tools.ts';

/** An MCP server with a tool for each operation of the service that a client calls. */
export function createServer(client: Client, document: OpenApiDocument): Server {
  const tools = toolsOf(document);
  const resources = resourcesOf(document);
  const server = new Server(
    { name: 'payments', title: 'Payments', version: NEWEST_VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()].map(({ tool }) => tool) }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const called = tools.get(params.name);
    if (called === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    }
    return callTool(client, called, params.arguments ?? {}, mcpReq.signal);
  });
  server.setRequestHandler('resources/list', () => ({
    resources: [...resources.values()].map(({ listed }) => listed),
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const resource = resources.get(uri);
    if (resource === undefined) {
      throw new ResourceNotFoundError(uri);
    }
    return { contents: [{ uri, mimeType: resource.listed.mimeType, text: resource.read() }] };
  });
  return server;
}
