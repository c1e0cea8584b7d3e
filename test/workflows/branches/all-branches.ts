import type { Branch } from './branch.ts';
import { DELIVERY_BRANCHES } from './delivery.branches.ts';
import { ENDPOINT_HEALTH_BRANCHES } from './endpoint-health.branches.ts';
import { NO_SHOW_BRANCHES } from './no-show.branches.ts';
import { SCAN_BRANCHES } from './scan.branches.ts';

/** Every way through every workflow that issues commands of its own, by the name of its history. */
export const BRANCHES: Record<string, Branch> = {
  ...NO_SHOW_BRANCHES,
  ...DELIVERY_BRANCHES,
  ...ENDPOINT_HEALTH_BRANCHES,
  ...SCAN_BRANCHES,
};
