import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { OpenApiDocument } from '../../shared/contract/openapi-document.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { callTool } from './call-tool.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { CallContext, KitTool } from './kit-tool.ts';
import { KIT_TOOLS } from './kit-tools.ts';
import type { McpService } from './mcp-service.ts';
import { resourcesOf } from './resources.ts';
import { KIT_GROUP } from './tool-groups.ts';
import { toolsOf } from './tools.ts';

/**
 * An MCP server with a tool for each operation of the service that a client calls, and with those of the kit.
 * @param groups of the tools that it offers
 */
export function createServer(
  service: McpService,
  document: OpenApiDocument,
  groups: readonly string[],
): Server {
  const tools = toolsOf(document, groups);
  const kitTools: ReadonlyMap<string, KitTool> = groups.includes(KIT_GROUP) ? KIT_TOOLS : new Map();
  const resources = resourcesOf(document, tools.values());
  const server = new Server(
    { name: 'payments', title: 'Payments', version: NEWEST_VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values(), ...kitTools.values()].map(({ tool }) => tool),
  }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const { name, arguments: given = {} } = params;
    const [operation, kitTool] = [tools.get(name), kitTools.get(name)];
    if (operation !== undefined) {
      return callTool(service.client, operation, given, mcpReq.signal);
    }
    if (kitTool !== undefined) {
      return kitTool.call(service, given, { signal: mcpReq.signal, onProgress: progressOf(mcpReq) });
    }
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
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

/** Tells the host how far a call is, where it has asked for that. */
function progressOf({ _meta, notify }: ServerContext['mcpReq']): CallContext['onProgress'] {
  const progressToken = _meta?.progressToken;
  return (progress, total, message) => {
    if (progressToken !== undefined) {
      const params = { progressToken, progress, total, message };
      // A host that is gone misses it.
      notify({ method: 'notifications/progress', params }).catch(() => undefined);
    }
  };
}
