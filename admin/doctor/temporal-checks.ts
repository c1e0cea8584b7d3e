import { Client, Connection, isGrpcServiceError, type ScheduleSummary } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../../domain/temporal-names.ts';
import type { Desk } from '../desk.ts';
import { describeFailure } from '../failures.ts';
import { Ailment, check, unexamined, type Check } from './check.ts';

const CONNECT_LIMIT = '3s';
const ANSWER_LIMIT_MS = 3_000;

const { IndexedValueType } = proto.temporal.api.enums.v1;
const PROTOCOL_TYPES = {
  KEYWORD: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  INT: IndexedValueType.INDEXED_VALUE_TYPE_INT,
  DATETIME: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
};

interface Temporal {
  connection: Connection;
  namespace: string;
}

export async function temporalChecks({ environment }: Desk): Promise<Check[]> {
  const temporal = openTemporal(environment);
  try {
    const reachable = await check('temporal', () => examineNamespace(temporal));
    if (!reachable.ok) return [reachable, ...unreachable()];
    return [
      reachable,
      ...(await Promise.all([
        check('search attributes', () => examineSearchAttributes(temporal)),
        check('schedules', () => examineSchedules(temporal)),
      ])),
    ];
  } finally {
    await temporal.connection.close();
  }
}

/** Connects with the first question, so that a server that is away is one failed check. */
function openTemporal(environment: Desk['environment']): Temporal {
  const variables = Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({
    overrideEnvVars: Object.fromEntries(variables),
  });
  return { connection: Connection.lazy({ ...connectionOptions, connectTimeout: CONNECT_LIMIT }), namespace };
}

function unreachable(): Check[] {
  return ['search attributes', 'schedules'].map((name) => unexamined(name, 'Temporal does not answer'));
}

async function examineNamespace({ connection, namespace }: Temporal): Promise<string> {
  const { address } = connection.options;
  const deadline = Date.now() + ANSWER_LIMIT_MS;
  try {
    await connection.withDeadline(deadline, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } catch (error) {
    const reason = isGrpcServiceError(error) ? error.details : describeFailure(error);
    throw new Ailment(`${address}, namespace ${namespace}: ${reason}`);
  }
  return `answers at ${address}, namespace ${namespace}`;
}

async function examineSearchAttributes({ connection, namespace }: Temporal): Promise<string> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const wrong = Object.entries(SEARCH_ATTRIBUTES).filter(
    ([name, type]) => customAttributes?.[name] !== PROTOCOL_TYPES[type],
  );
  if (wrong.length === 0) return 'all registered';
  const names = wrong.map(([name]) => name).join(', ');
  throw new Ailment(`run "npm run temporal:setup"; missing or of another type: ${names}`);
}

async function examineSchedules({ connection, namespace }: Temporal): Promise<string> {
  const client = new Client({ connection, namespace });
  const schedules: ScheduleSummary[] = [];
  for await (const schedule of client.schedule.list()) schedules.push(schedule);
  const paused = schedules.filter(({ state }) => state.paused).map(({ scheduleId }) => scheduleId);
  if (paused.length > 0) throw new Ailment(`paused: ${paused.join(', ')}`);
  return schedules.map(({ scheduleId }) => scheduleId).join(', ') || 'none set up';
}
