import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { aStartedCall } from '../calls/call-builders.ts';
import { inDirectory, run } from '../docs/languages.ts';
import { ROOT } from '../docs/pages.ts';
import { anEndpoint } from '../support/clinic.ts';
import { pythonPackages } from '../../dev/release/python-packages.ts';
import { suiteApi } from '../support/servers/api-server.ts';

/** `FUZZ_SEED=7 FUZZ_SECONDS=1200 npm run fuzz`: the same requests again, and for longer. */
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(1_000_000));
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 240);
const EXAMPLES_OF_AN_OPERATION = 100;
const START_SECONDS = 300;

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'unsupported_method',
  'ignored_auth',
];

const api = await suiteApi();

/** What exists, so that requests are about something. */
async function known() {
  const { professionalIds, serviceTypeId } = api.clinic;
  const startsAt = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const booking = {
    professionalId: professionalIds[0],
    serviceTypeId,
    patientName: 'Maria Santos',
    patientPhone: '+351912345678',
    startsAt,
  };
  const booked = await api.client.post('/v1/appointments', booking);
  const appointmentId = String(booked.body['id']);
  const callId = await aStartedCall(api.client);
  const endpointId = await anEndpoint(api.database, api.clinic.tenantId);
  const me = await api.client.get('/v1/api-keys/me');
  return {
    seed: SEED,
    ownKeyId: me.body['id'],
    paths: {
      '/v1/appointments/': [appointmentId],
      '/v1/calls/': [callId],
      '/v1/webhook-endpoints/': [endpointId],
      '/v1/professionals/': professionalIds,
      '/v1/services/': [serviceTypeId],
    },
    fields: {
      professionalId: professionalIds,
      serviceTypeId: [serviceTypeId],
      appointmentId: [appointmentId],
      callId: [callId],
      endpointId: [endpointId],
      startsAt: [startsAt, new Date(Date.now() + 8 * 86_400_000).toISOString()],
    },
  };
}

test(
  `whatever fits the document, and whatever does not, is answered as the document says (seed ${SEED})`,
  async () => {
    const PYTHONPATH = await pythonPackages('test/fuzz/requirements.txt');
    const env = {
      PYTHONPATH: `${PYTHONPATH}:${join(ROOT, 'test/fuzz')}`,
      SCHEMATHESIS_HOOKS: 'hooks',
      PYTHONDONTWRITEBYTECODE: '1',
      FUZZ_KNOWN: JSON.stringify(await known()),
    };
    const requests = ['--workers', '2', '--request-timeout', '30'];
    const bounds = ['--max-examples', String(EXAMPLES_OF_AN_OPERATION), '--max-time', String(SECONDS)];
    const phases = ['--phases', 'examples,coverage,fuzzing', '--generation-database', 'none'];
    const told = ['--seed', String(SEED), '--warnings', 'off', '--continue-on-failure'];
    const against = [`${api.url}/openapi.json`, '--url', api.url, '--checks', CHECKS.join()];
    const key = ['--header', `Authorization: Bearer ${await api.keyOf()}`];
    const program = ['python3', '-m', 'schemathesis.cli', '--no-color', 'run'];
    const said = await inDirectory({}, (directory) =>
      run([...program, ...against, ...key, ...phases, ...told, ...bounds, ...requests], {
        directory,
        timeoutMs: (SECONDS + START_SECONDS) * 1000,
        env,
      }),
    );
    expect(said).toMatch(/\d+ (?:generated|passed)/);
    process.stderr.write(`FUZZ_SEED=${SEED}\n${said.slice(-1500)}\n`);
  },
  (SECONDS + 2 * START_SECONDS) * 1000,
);
