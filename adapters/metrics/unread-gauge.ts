import { Gauge, type Registry } from '@prometheus-io/client';
import type { UnreadBytes } from '../connections/unread-bytes.ts';

export function createUnreadGauge(registers: Registry[], unread: UnreadBytes): Gauge {
  return new Gauge({
    name: 'answers_unread_bytes',
    help: 'Bytes of responses that clients have not read yet',
    registers,
    collect() {
      this.set(unread.total);
    },
  });
}
