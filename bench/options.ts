import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECT_ROOT } from '../dev/processes/run-script.ts';

export interface Options {
  /** Names of scenarios; none means all but the long ones. */
  names: string[];
  repeats: number;
  isQuick: boolean;
  jsonFile: string | undefined;
  /** What is measured, and what it is compared with: directories of this project, of any version. */
  sides: Side[];
}

export interface Side {
  label: string;
  root: string;
}

export const USAGE = `npm run bench -- [scenario …] [--repeats N] [--quick] [--compare DIR] [--json FILE]

  --repeats N    rounds of each measurement, 3 by default; figures are medians
  --quick        a tenth of the counts, shorter loads
  --compare DIR  another checkout beside this one: rounds in turn, and ratios
  --json FILE    writes everything that was measured

BENCH_SERVICE_ROOT names the checkout whose processes are measured, when it is not this one.
`;

/** @throws TypeError for an unknown option */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      repeats: { type: 'string', default: '3' },
      quick: { type: 'boolean', default: false },
      compare: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const repeats = Number(values.repeats);
  if (!Number.isInteger(repeats) || repeats < 1 || repeats > 50) throw new TypeError('--repeats: 1 to 50');
  const sides = [{ label: 'this', root: resolve(environment['BENCH_SERVICE_ROOT'] ?? PROJECT_ROOT) }];
  if (values.compare !== undefined) sides.push({ label: 'other', root: resolve(values.compare) });
  return {
    names: positionals,
    repeats,
    isQuick: values.quick,
    jsonFile: values.json,
    sides,
  };
}
