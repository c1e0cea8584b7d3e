import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../admin/program.ts';
import {
  APPOINTMENT_STATUSES,
  decideStatus,
  type AppointmentStatus,
} from '../../domain/appointments/appointment-status.ts';
import { SCOPE_PRESETS, SCOPES } from '../../domain/clinic/api-scopes.ts';
import { ERROR_STATUS } from '../../domain/error-codes.ts';
import * as names from '../../domain/temporal-names.ts';
import { EVENT_TYPES } from '../../domain/webhooks/event-types.ts';
import { rowsUnder, textOf } from './pages.ts';

const STARTED = new Date('2026-03-02T09:30:00Z');
const BEFORE = new Date('2026-03-02T09:00:00Z');
const AFTER = new Date('2026-03-02T09:45:00Z');

describe('what the guides say is what the service does', () => {
  test('each error code is explained, under its status', () => {
    const told = [...textOf('docs/errors.md').matchAll(/^### `(\w+)`\n\n(\d{3})\. /gm)];
    expect(told.map(([, code, status]) => [code, Number(status)])).toEqual(Object.entries(ERROR_STATUS));
  });

  test('the table of transitions is that of the service', () => {
    const rows = rowsUnder(textOf('docs/appointments.md'), 'from').map(([from = '', ...cells]) => [
      unquoted(from),
      ...cells.slice(0, 3).map((cell) => cell.replace(/yes: .+/, 'yes')),
    ]);
    expect(rows).toEqual(
      APPOINTMENT_STATUSES.map((from) => [
        from,
        cellOf(from, 'attended'),
        cellOf(from, 'no_show'),
        cellOf(from, 'cancelled'),
      ]),
    );
  });

  test('every scope and preset is listed', () => {
    const page = textOf('docs/keys-and-scopes.md');
    expect(rowsUnder(page, 'scope').map(([scope = '']) => unquoted(scope))).toEqual([...SCOPES]);
    const presets = rowsUnder(page, 'preset');
    expect(presets.map(([preset = '']) => unquoted(preset))).toEqual(Object.keys(SCOPE_PRESETS));
    const [[, pms = ''] = []] = presets;
    expect(pms.split(', ').map(unquoted).sort()).toEqual([...SCOPE_PRESETS.pms].sort());
  });

  test('every event type has its payload', () => {
    const page = textOf('docs/events.md');
    expect(EVENT_TYPES.filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
  });

  test('every name that operators type in Temporal is listed', () => {
    const page = textOf('docs/temporal.md');
    const typed = Object.values(names).filter((value) => typeof value === 'string');
    expect(typed.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const attributes = rowsUnder(page, 'name').map(([name = '', type = '']) => [unquoted(name), type]);
    expect(attributes.map(([name, type]) => [name, type?.toUpperCase()])).toEqual(
      Object.entries(names.SEARCH_ATTRIBUTES),
    );
  });

  test('every command is listed', () => {
    const page = textOf('docs/commands.md');
    const silent = { write: () => true };
    const program = createProgram({ stdout: silent, stderr: silent }, () => Promise.resolve());
    expect(wordsOf(program).filter((words) => !new RegExp(`\`${words}\\b`).test(page))).toEqual([]);
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const npmWords = (name: string) => new RegExp(`\`npm (run (--silent )?)?${name}\\b`);
    expect(Object.keys(scripts).filter((name) => !npmWords(name).test(page))).toEqual([]);
  });
});

function unquoted(cell: string): string {
  return cell.replaceAll('`', '');
}

function cellOf(status: AppointmentStatus, to: AppointmentStatus): string {
  const at = (now: Date) => decideStatus({ status, startsAt: STARTED }, to, now).kind;
  if (at(AFTER) === 'unchanged') return '200, no event';
  if (at(AFTER) !== 'change') return '409';
  return at(BEFORE) === 'change' ? 'yes' : 'once `startsAt` has passed, else 409';
}

function wordsOf(program: Command): string[] {
  return program.commands.flatMap((group) =>
    group.commands.length === 0
      ? [group.name()]
      : group.commands.map((verb) => `${group.name()} ${verb.name()}`),
  );
}
