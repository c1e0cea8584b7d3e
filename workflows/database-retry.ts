/** For activities that fail only while the database or Temporal is away, and have to be right whenever that ends. Deliveries have their own. */
export const DATABASE_RETRY = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '1 minute',
} as const;
