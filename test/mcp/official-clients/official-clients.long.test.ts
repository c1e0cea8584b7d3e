import { expect, test } from '@jest/globals';
import { aStartedCall } from '../../calls/call-builders.ts';
import { inDirectory, run } from '../../docs/languages.ts';
import { createApiClient } from '../../support/api-client.ts';
import { aClinic } from '../../support/clinic.ts';
import { nodePackage } from '../../support/environment/node-packages.ts';
import { pythonPackages } from '../../../dev/release/python-packages.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import {
  CURRENT_PYTHON,
  currentTypescript,
  PREVIOUS_PYTHON,
  PREVIOUS_TYPESCRIPT,
} from './whole-call-programs.ts';

const PREVIOUS_SDK = '@modelcontextprotocol/sdk@1.32.2';
const CALL_TIMEOUT_MS = 60_000;
const PHONE = '+351912345678';

const api = await suiteApi();

type Environment = Record<string, string>;

async function inNode(program: string, env: Environment, modules?: string): Promise<string> {
  const within = (directory: string) =>
    run([process.execPath, 'call.mjs'], { directory, env, timeoutMs: CALL_TIMEOUT_MS });
  return inDirectory({ 'call.mjs': program }, within, modules);
}

async function inPython(
  generation: 'previous' | 'current',
  program: string,
  env: Environment,
): Promise<string> {
  const PYTHONPATH = await pythonPackages(`test/mcp/official-clients/${generation}-requirements.txt`);
  const all = { ...env, PYTHONPATH };
  return inDirectory({ 'call.py': program }, (directory) =>
    run(['python3', 'call.py'], { directory, env: all, timeoutMs: CALL_TIMEOUT_MS }),
  );
}

const pinned = (revision: string) => `{ versionNegotiation: { mode: { pin: '${revision}' } } }`;

const CLIENTS: Record<string, (env: Environment) => Promise<string>> = {
  'TypeScript, previous': async (env) => inNode(PREVIOUS_TYPESCRIPT, env, await nodePackage(PREVIOUS_SDK)),
  'TypeScript, current': (env) => inNode(currentTypescript('{}'), env),
  'TypeScript, current, 2026-07-28': (env) => inNode(currentTypescript(pinned('2026-07-28')), env),
  'Python, previous': (env) => inPython('previous', PREVIOUS_PYTHON, env),
  'Python, current': (env) => inPython('current', CURRENT_PYTHON, { ...env, MODE: 'auto' }),
  'Python, current, as before 2026': (env) => inPython('current', CURRENT_PYTHON, { ...env, MODE: 'legacy' }),
  'Python, current, 2026-07-28': (env) => inPython('current', CURRENT_PYTHON, { ...env, MODE: '2026-07-28' }),
};

test.each(Object.entries(CLIENTS))('a whole call with the official client: %s', async (_name, callWith) => {
  const clinic = await aClinic(api.database, { professionals: 2 });
  const { tenantId } = clinic;
  const key = await api.keyOf({ tenantId });
  const client = createApiClient(api.url, key);
  const callId = await aStartedCall(client, { fromNumber: PHONE });
  const output = await callWith({
    MCP_URL: `${api.url}/mcp`,
    API_KEY: key,
    CALL_ID: callId,
    SERVICE_ID: clinic.serviceTypeId,
    PHONE,
  });
  const said = JSON.parse(output) as Record<string, Record<string, unknown>>;
  const now = { timezone: 'Europe/Lisbon' };
  expect(said).toMatchObject({
    tools: expect.arrayContaining(['briefing', 'find_times', 'hold_time', 'book', 'move', 'cancel']),
    briefing: { clinic: { id: tenantId }, services: [{ id: clinic.serviceTypeId }], appointments: [], now },
    booked: { status: 'confirmed', callId, source: 'voice_ai', spoken: expect.any(String), now },
    found: { items: [{ id: said['booked']?.['id'], patientName: 'Ana Martins' }], now },
    moved: { status: 'rescheduled', replacement: { status: 'confirmed' }, now },
    cancelled: { status: 'cancelled', cancellationReason: 'patient_requested', now },
  });
  const { body } = await client.get(`/v1/appointments/${String(said['cancelled']?.['id'])}`);
  expect(body['status']).toBe('cancelled');
});
