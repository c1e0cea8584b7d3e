import type { LeftToDo } from '../adapters/temporal/prepare-namespace.ts';
import { SEARCH_ATTRIBUTES, WORKFLOW_RETENTION_DAYS } from '../domain/temporal-names.ts';

const TYPE_NAMES = { KEYWORD: 'Keyword', INT: 'Int', DATETIME: 'Datetime' } as const;

/** The steps that an administrator must do by hand, with their commands; empty if there are none. */
export function setupByHand(namespace: string, left: LeftToDo): string {
  const days = WORKFLOW_RETENTION_DAYS;
  const names: readonly string[] = left.registerSearchAttributes;
  const attributes = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => names.includes(name));
  const inCloud = attributes.map(([name, type]) => `--search-attribute "${name}=${TYPE_NAMES[type]}"`);
  const onOwn = attributes.map(([name, type]) => `--name ${name} --type ${TYPE_NAMES[type]}`);
  const steps = [
    left.createNamespace &&
      step('creates the namespace: it does not exist, or this account cannot see it', {
        cloud: `tcld namespace create --namespace ${namespace} --region <region> --retention-days ${days}`,
        own: `temporal operator namespace create --namespace ${namespace} --retention ${days}d`,
      }),
    left.raiseRetention &&
      step(`keeps ended workflows for ${days} days, so that you can read their history`, {
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
  return `This account is not allowed to change the namespace ${namespace}. Ask someone who is to run these steps:\n\n${steps.join('\n')}
tcld is Temporal Cloud's own command; its web interface does the same. Then run this again: docs/temporal.md#temporal-cloud\n`;
}

function step(what: string, { cloud, own }: { cloud: string; own: string }): string {
  return `- ${what}:\n    Temporal Cloud:  ${cloud}\n    your own server: ${own}\n`;
}
