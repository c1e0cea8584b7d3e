import {
  BURST_WORKFLOW,
  DELIVERY_WORKFLOW,
  ENDPOINT_HEALTH_WORKFLOW,
  NO_SHOW_WORKFLOW,
  RECALL_SCAN_WORKFLOW,
  RECONCILE_WORKFLOW,
  REPLAY_WORKFLOW,
  RETENTION_WORKFLOW,
} from '../../domain/temporal-names.ts';

/** Workflow code that asks for another command than it should, at one place. */
export interface Mutant {
  /** What was changed, and the place as the bundle has it. */
  name: string;
  code: string;
}

interface Mutation {
  name: string;
  /** Every place where a workflow of ours asks for this kind of command. */
  places: RegExp;
  change: (...found: string[]) => string;
}

const WORKFLOWS = [
  NO_SHOW_WORKFLOW,
  DELIVERY_WORKFLOW,
  BURST_WORKFLOW,
  ENDPOINT_HEALTH_WORKFLOW,
  REPLAY_WORKFLOW,
  RECALL_SCAN_WORKFLOW,
  RECONCILE_WORKFLOW,
  RETENTION_WORKFLOW,
];

const MUTATIONS: Mutation[] = [
  { name: 'no pause', places: callsOf('sleep'), change: () => '(async () => {})(' },
  { name: 'no time limit', places: callsOf('condition', '(?=.*\\{$)'), change: withFirstArgument },
  { name: 'no new run', places: callsOf('continueAsNew'), change: () => '(async () => {})(' },
  { name: 'no search attributes', places: callsOf('upsertSearchAttributes'), change: () => '(() => {})(' },
  { name: 'never patched', places: callsOf('patched'), change: () => '(() => false)(' },
  {
    name: 'another activity',
    places: /const \{ (\w+) \}(?= = \(0,\w+\.proxyActivities)/g,
    change: (_all, name = '') => `const { other: ${name} }`,
  },
  {
    name: 'another activity',
    places: /\bactivities\.\w+(?=\.executeWithOptions)/g,
    change: () => 'activities.other',
  },
  {
    name: 'no end',
    places: new RegExp(`async function (${WORKFLOWS.join('|')})\\(`, 'g'),
    change: (_all, name = '') =>
      `async function ${name}(input) { await until_${name}(input); await new Promise(() => {}); }\n` +
      `async function until_${name}(`,
  },
];

/** One for each command that the code of a workflow may ask for. */
export function mutantsOf(bundle: string): Mutant[] {
  return MUTATIONS.flatMap(({ name, places, change }) =>
    Array.from(bundle.matchAll(places), (found) => ({
      name: `${name}: ${lineAt(bundle, found.index)}`,
      code: bundle.slice(0, found.index) + change(...found) + bundle.slice(found.index + found[0].length),
    })),
  );
}

function callsOf(name: string, followedBy = ''): RegExp {
  return new RegExp(
    `(\\(0,_temporalio_workflow__WEBPACK_IMPORTED_MODULE_\\d+__\\.${name}\\))\\(${followedBy}`,
    'gm',
  );
}

function withFirstArgument(_all: string, called = ''): string {
  return `((first) => ${called}(first))(`;
}

function lineAt(text: string, index: number): string {
  const [start, end] = [text.lastIndexOf('\n', index) + 1, text.indexOf('\n', index)];
  return text
    .slice(start, end)
    .replace(/\(0,\w+\.(\w+)\)/g, '$1')
    .trim();
}
