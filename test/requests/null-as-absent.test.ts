import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { appointmentContracts } from '../../api/appointments/contract.ts';
import { appointmentImportContracts, importItem } from '../../api/appointments/import.contract.ts';
import type { Contract } from '../../api/contract/define-contracts.ts';
import { contracts } from '../../api/resources.ts';

/** Where null is not an absence: the whole clinic, a call whose number is withheld. */
const HAS_A_MEANING = ['professionalId', 'fromNumber'];

type Body = Record<string, unknown>;

interface Case {
  schema: z.ZodObject;
  examples: readonly Body[];
}

const isPatch = ({ method }: Contract) => method === 'PATCH';

const withBody = Object.entries<Contract>(contracts).flatMap(([id, contract]) => {
  const { body } = contract.request;
  return body ? [[id, contract, body] as const] : [];
});

const cases = withBody
  .filter(([, contract]) => !isPatch(contract))
  .flatMap(([id, , { schema, readAs, examples }]): [string, Case][] => {
    const bodies = Object.values(examples) as Body[];
    const lists = Object.entries((readAs ?? schema).shape).flatMap(([name, field]): [string, Case][] => {
      if (!(field instanceof z.ZodArray) || !(field.element instanceof z.ZodObject)) return [];
      const items = bodies.flatMap((body) => (body[name] ?? []) as Body[]);
      return [[`${id}, ${name}`, { schema: field.element, examples: items }]];
    });
    return [[id, { schema: readAs ?? schema, examples: bodies }], ...lists];
  });

const { items } = appointmentImportContracts.importAppointments.request.body.examples.history;
const all: [string, Case][] = [...cases, ['an item of an import', { schema: importItem, examples: items }]];

const optional = (schema: z.ZodObject) =>
  Object.entries(schema.shape).flatMap(([name, field]) => (field.safeParse(undefined).success ? [name] : []));

describe.each(all)('in %s', (_id, { schema, examples }) => {
  test('null for an optional field is as if it were left out, or says that there is none', () => {
    for (const name of optional(schema)) {
      for (const { [name]: _given, ...body } of examples) {
        const [absent, none] = [schema.safeParse(body), schema.safeParse({ ...body, [name]: null })];
        const { [name]: read, ...others } = none.data ?? {};
        const { [name]: byDefault, ...same } = absent.data ?? {};
        expect([name, none.success, others]).toEqual([name, absent.success, same]);
        expect([name, read]).toEqual([name, read === null ? null : byDefault]);
      }
    }
  });

  test('null for a required field is refused, unless it has a meaning', () => {
    const required = Object.keys(schema.shape).filter((name) => !optional(schema).includes(name));
    const taken = required.filter((name) => schema.shape[name]?.safeParse(null).success);
    expect(taken.filter((name) => !HAS_A_MEANING.includes(name))).toEqual([]);
  });
});

test('in a PATCH null clears what can be cleared, and is refused for anything else', () => {
  const { schema } = appointmentContracts.changeAppointment.request.body;
  expect(schema.parse({ patientNotes: null, metadata: null })).toEqual({
    patientNotes: null,
    metadata: null,
  });
  expect(schema.safeParse({ patientName: null }).success).toBe(false);
  expect(schema.safeParse({ startsAt: null }).success).toBe(false);
});
