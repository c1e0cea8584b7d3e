/**
 * For activities that fail only while the database or Temporal is unavailable, and must succeed afterwards. Deliveries
 * have their own policy.
 */
export const DATABASE_RETRY = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '1 minute',
} as const;
