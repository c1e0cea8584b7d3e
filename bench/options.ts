import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECT_ROOT } from '../dev/processes/run-script.ts';

export interface Options {
  /** Names of scenarios; none means all but the long ones. */
  names: string[];
  repeats: number;
  isQuick: boolean;
  minutes: number;
  jsonFile: string | undefined;
  /** Where what takes long to make is kept, and found again. */
  keptIn: string | undefined;
  /** Where `server` and `sql` are, of a Temporal that keeps its state in PostgreSQL. */
  temporalPrograms: string | undefined;
  /** What is measured, and what it is compared with: directories of this project, of any version. */
  sides: Side[];
}

export interface Side {
  label: string;
  root: string;
}

export const USAGE = `npm run bench -- [scenario …] [--repeats N] [--quick] [--minutes N] [--keep DIR] [--compare DIR] [--temporal DIR] [--json FILE]

  --repeats N    rounds of each measurement, 3 unless told; figures are medians
  --quick        a tenth of the counts, shorter loads
  --minutes N    how long "soak" goes on, 60 unless told
  --keep DIR     where the year of "year" is made, or found from before; without, it is made anew and removed
  --compare DIR  another checkout beside this one: rounds in turn, and ratios
  --temporal DIR Temporal with its state in a PostgreSQL of its own and 512 shards, by its programs server and sql in DIR
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
      minutes: { type: 'string', default: '60' },
      keep: { type: 'string' },
      compare: { type: 'string' },
      temporal: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const repeats = Number(values.repeats);
  if (!Number.isInteger(repeats) || repeats < 1 || repeats > 50) throw new TypeError('--repeats: 1 to 50');
  const minutes = Number(values.minutes);
  if (!(minutes >= 1 && minutes <= 1440)) throw new TypeError('--minutes: 1 to 1440');
  const sides = [{ label: 'this', root: resolve(environment['BENCH_SERVICE_ROOT'] ?? PROJECT_ROOT) }];
  if (values.compare !== undefined) sides.push({ label: 'other', root: resolve(values.compare) });
  if (values.keep !== undefined && values.temporal !== undefined)
    throw new TypeError('--keep keeps no state of a Temporal on PostgreSQL: leave out --temporal');
  return {
    names: positionals,
    repeats,
    isQuick: values.quick,
    minutes,
    jsonFile: values.json,
    keptIn: values.keep === undefined ? undefined : resolve(values.keep),
    temporalPrograms: values.temporal === undefined ? undefined : resolve(values.temporal),
    sides,
  };
}
