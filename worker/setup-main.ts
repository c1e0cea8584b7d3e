import { createLogger } from '../adapters/logs/logger.ts';
import { connectTemporal } from '../adapters/temporal/connect-temporal.ts';
import { untilReached } from '../adapters/connections/until-reached.ts';
import { prepareNamespace, type LeftToDo } from '../adapters/temporal/prepare-namespace.ts';
import { keepSchedules } from '../adapters/temporal/schedules.ts';
import { readSetupConfig } from './config.ts';
import { SEARCH_ATTRIBUTES, WORKFLOW_RETENTION_DAYS } from '../domain/temporal-names.ts';

/** A Temporal that has just been started needs a while; one that never comes must not be waited for. */
const WAIT_LIMIT_MS = 60_000;

const config = readSetupConfig(process.env);
const logger = createLogger({ level: config.log.level, process: 'setup' });
const temporal = connectTemporal(config.temporal);
const { namespace } = temporal;
const waiting = { logger, signal: AbortSignal.timeout(WAIT_LIMIT_MS) };
try {
  const prepared = await untilReached(
    'temporal',
    () => temporal.ask(() => prepareNamespace(temporal.connection, namespace)),
    waiting,
  );
  const { leftToDo } = prepared;
  process.stderr.write(setupByHand(namespace, leftToDo));
  if (leftToDo.createNamespace || leftToDo.registerSearchAttributes.length > 0) {
    process.exitCode = 1;
  } else {
    const schedules = await untilReached('temporal', () => temporal.ask(keepSchedules), waiting);
    logger.info({ namespace, ...prepared, schedules }, 'temporal.ready');
  }
} catch (error) {
  const reason = error instanceof Error ? error.message : 'unknown error';
  process.stderr.write(
    `Temporal could not be prepared at ${config.temporal.connection.address}: ${reason}\n`,
  );
  process.exitCode = 1;
} finally {
  await temporal[Symbol.asyncDispose]();
}

const TYPE_NAMES = { KEYWORD: 'Keyword', INT: 'Int', DATETIME: 'Datetime' } as const;

/** What somebody with more rights is to do, with the commands for it; empty when nothing is. */
export function setupByHand(namespace: string, left: LeftToDo): string {
  const days = WORKFLOW_RETENTION_DAYS;
  const names: readonly string[] = left.registerSearchAttributes;
  const attributes = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => names.includes(name));
  const inCloud = attributes.map(([name, type]) => `--search-attribute "${name}=${TYPE_NAMES[type]}"`);
  const onOwn = attributes.map(([name, type]) => `--name ${name} --type ${TYPE_NAMES[type]}`);
  const steps = [
    left.createNamespace &&
      step('creates it: there is no such namespace, or this account does not see it', {
        cloud: `tcld namespace create --namespace ${namespace} --region <region> --retention-days ${days}`,
        own: `temporal operator namespace create --namespace ${namespace} --retention ${days}d`,
      }),
    left.raiseRetention &&
      step(`has it keep ended workflows for ${days} days, so that you can read them`, {
        cloud: `tcld namespace retention set --namespace ${namespace} --retention-days ${days}`,
        own: `temporal operator namespace update --namespace ${namespace} --retention ${days}d`,
      }),
    attributes.length > 0 &&
      step('adds the search attributes, without which no worker starts', {
        cloud: `tcld namespace search-attributes add --namespace ${namespace} ${inCloud.join(' ')}`,
        own: `temporal operator search-attribute create --namespace ${namespace} ${onOwn.join(' ')}`,
      }),
  ].filter((each) => each !== false);
  if (steps.length === 0) return '';
  return `This account may not change the namespace ${namespace}. Somebody who may:\n\n${steps.join('\n')}
tcld is Temporal Cloud's own command; its web interface does the same. Then run this again: docs/temporal.md#temporal-cloud\n`;
}

function step(what: string, { cloud, own }: { cloud: string; own: string }): string {
  return `- ${what}:\n    Temporal Cloud:  ${cloud}\n    your own server: ${own}\n`;
}
