import { shiftClock } from './shift-clock.ts';

shiftClock(Number(process.env['CLOCK_OFF_BY_MS']));
