import { ServiceError } from '../../domain/service-error.ts';

type With<Fields, Name extends keyof Fields> = Fields & { [N in Name]-?: Exclude<Fields[N], undefined> };

/** @throws ServiceError `validation_failed` naming each of the fields that something new needs and that is missing */
export function requireFields<Fields extends object, Name extends keyof Fields & string>(
  fields: Fields,
  needed: readonly Name[],
): asserts fields is With<Fields, Name> {
  const missing = needed.filter((name) => fields[name] === undefined);
  if (missing.length === 0) return;
  const errors = missing.map((name) => ({ path: `body.${name}`, message: 'is required' }));
  const message = `Nothing has this externalId yet, and something new needs ${missing.join(' and ')}.`;
  throw new ServiceError('validation_failed', message, { errors });
}
