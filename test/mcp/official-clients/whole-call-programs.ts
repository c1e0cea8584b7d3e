/** What each program does: it picks up a call, finds, holds and books a time, moves the appointment and cancels it. */

const TYPESCRIPT = `
const { MCP_URL, API_KEY, CALL_ID, SERVICE_ID } = process.env;
const requestInit = { headers: { authorization: \`Bearer \${API_KEY}\` } };
const client = new Client({ name: 'whole-call', version: '1.0.0' }, OPTIONS);
await client.connect(new StreamableHTTPClientTransport(new URL(MCP_URL), { requestInit }));

async function use(name, given) {
  const { isError, structuredContent } = await client.callTool({ name, arguments: given });
  if (isError) throw new Error(JSON.stringify(structuredContent));
  return structuredContent;
}

const { tools } = await client.listTools();
const briefing = await use('briefing', { id: CALL_ID });
const { items: [first, second] } = await use('find_times', { serviceTypeId: SERVICE_ID, limit: 2 });
const { professionalId, startsAt } = first;
const slot = { professionalId, startsAt, serviceTypeId: SERVICE_ID, callId: CALL_ID };
const { id: holdId } = await use('hold_time', slot);
const patient = { patientName: 'Ana Martins', patientPhone: process.env.PHONE };
const booked = await use('book', { ...slot, ...patient, holdId });
const found = await use('find_appointments', { patientPhone: process.env.PHONE });
const to = { startsAt: second.startsAt, professionalId: second.professionalId };
const moved = await use('move', { id: booked.id, ...to });
const cancelled = await use('cancel', { id: moved.replacement.id });
await client.close();
console.log(JSON.stringify({ tools: tools.map(({ name }) => name), briefing, booked, found, moved, cancelled }));
`;

/** @param options of the client, as JavaScript */
export function currentTypescript(options: string): string {
  return `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
const OPTIONS = ${options};
${TYPESCRIPT}`;
}

export const PREVIOUS_TYPESCRIPT = `
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
const OPTIONS = {};
${TYPESCRIPT}`;

const PYTHON = `
import asyncio, json, os

HEADERS = {'authorization': f"Bearer {os.environ['API_KEY']}"}
CALL = os.environ['CALL_ID']
SERVICE = os.environ['SERVICE_ID']
PHONE = os.environ['PHONE']

async def whole_call(client, said):
    async def use(name, **given):
        is_error, content = said(await client.call_tool(name, given))
        if is_error:
            raise RuntimeError(json.dumps(content))
        return content

    tools = (await client.list_tools()).tools
    briefing = await use('briefing', id=CALL)
    first, second = (await use('find_times', serviceTypeId=SERVICE, limit=2))['items']
    slot = {
        'professionalId': first['professionalId'], 'startsAt': first['startsAt'],
        'serviceTypeId': SERVICE, 'callId': CALL,
    }
    hold = await use('hold_time', **slot)
    booked = await use('book', **slot, patientName='Ana Martins', patientPhone=PHONE, holdId=hold['id'])
    found = await use('find_appointments', patientPhone=PHONE)
    to = {'startsAt': second['startsAt'], 'professionalId': second['professionalId']}
    moved = await use('move', id=booked['id'], **to)
    cancelled = await use('cancel', id=moved['replacement']['id'])
    print(json.dumps({
        'tools': [tool.name for tool in tools], 'briefing': briefing, 'booked': booked, 'found': found,
        'moved': moved, 'cancelled': cancelled,
    }))
`;

export const PREVIOUS_PYTHON = `${PYTHON}
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

async def main():
    async with streamablehttp_client(os.environ['MCP_URL'], headers=HEADERS) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            await whole_call(session, lambda result: (result.isError, result.structuredContent))

asyncio.run(main())
`;

/** The mode is in the environment. */
export const CURRENT_PYTHON = `${PYTHON}
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main():
    async with httpx2.AsyncClient(headers=HEADERS) as http:
        transport = streamable_http_client(os.environ['MCP_URL'], http_client=http)
        async with Client(transport, mode=os.environ['MODE']) as client:
            await whole_call(client, lambda result: (result.is_error, result.structured_content))

asyncio.run(main())
`;
