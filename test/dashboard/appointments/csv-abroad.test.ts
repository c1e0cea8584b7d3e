import { expect, test } from '@jest/globals';
import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { book, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';

const dashboard = await suiteDashboard();

/** A spreadsheet of the other country parts the lines elsewhere, and does not see the quotes in the middle of its cells. */
test.each([
  ['English', 'en', ';'],
  ['Portuguese', 'pt', ','],
])(
  'no cell of a file in %s is a formula where its lines are parted as abroad',
  async (_, language, separator) => {
    const { database, clinic } = dashboard;
    const ana = await dashboard.person('ana');
    const day = localDayOf(inHours(24 * (language === 'en' ? 20 : 21)), 'Europe/Lisbon');
    const names = [`Ana${separator}=1+1`, `Rui${separator}@SUM(A1)`, 'Eva\n=2+2', `Ivo\t-3`, 'Sá-Lima'];
    names.push(`Isa${separator}"=1+1${separator}`);
    for (const [nr, patientName] of names.entries()) {
      const startsAt = new Date(day.from.getTime() + (9 + nr) * 3_600_000);
      await book(database, clinic, { patientName, startsAt });
    }
    const { text } = await ana.get(`/appointments/csv?day=${day.date}`, { 'accept-language': language });
    const cells = text
      .split('\n')
      .flatMap((line) => line.split(separator).flatMap((cell) => cell.split('\t')));
    expect(cells.filter((cell) => /^(?:"")*[=+\-@]/.test(cell))).toEqual([]);
    expect(text).toContain(`Ana${separator}'=1+1`);
    expect(text).toContain('Sá-Lima');
  },
);
