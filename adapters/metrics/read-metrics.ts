import { Counter, type Registry } from '@prometheus-io/client';

/** Counts the patients who were viewed without a record in the access log, because writing it failed. */
export function createLostReads(registers: Registry[]): (patients: number) => void {
  const lost = new Counter({
    name: 'reads_not_recorded_total',
    help: 'Patients missing from the access log, because the database did not store the entries in time',
    registers,
  });
  return (patients) => lost.inc(patients);
}
