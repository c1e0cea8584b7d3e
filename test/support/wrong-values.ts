/** The parts of JSON Schema that our request schemas use. */
export interface FieldSchema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  anyOf?: FieldSchema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: FieldSchema;
  prefixItems?: FieldSchema[];
  properties?: Record<string, FieldSchema>;
  additionalProperties?: unknown;
  required?: string[];
}

export interface WrongField {
  /** Below the root, such as `config.voiceSpeed`. */
  path: string[];
  /** What makes it wrong. */
  fault: string;
  /** undefined: left out. */
  value: unknown;
}

const NUL_TEXT = 'a\0b';
const LONE_SURROGATE = 'a\ud800b';

const WRONG_DATES = [
  'tomorrow',
  '2031-01-01',
  '2031-01-01T10:00:00',
  '2031-02-30T10:00:00Z',
  '2031-01-01T24:30:00Z',
  '2031-01-01T10:60:00Z',
  '2031-01-01T10:00:00+25:00',
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
];

/** Every way in which each field of an object can break its schema. */
export function wrongFields(schema: FieldSchema, path: string[] = []): WrongField[] {
  const unknown: WrongField[] =
    schema.additionalProperties === false
      ? [{ path: [...path, 'unheardOf'], fault: 'unknown', value: 'x' }]
      : [];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...wrongValues(field).map((wrong) => ({ ...wrong, path: [...path, name] })),
    ...(schema.required?.includes(name)
      ? [{ path: [...path, name], fault: 'left out', value: undefined }]
      : []),
    ...nestedObjects(field).flatMap((nested) => wrongFields(nested, [...path, name])),
  ]);
  return [...unknown, ...fields];
}

/** The same for the parameters of a query, which are all text: any text will do where the schema knows no form. */
export function wrongParameters(schema: FieldSchema): WrongField[] {
  const hasForm = (name: string) => {
    const { type, format, pattern, enum: list } = schema.properties?.[name] ?? {};
    return type !== 'string' || (format ?? pattern ?? list) !== undefined;
  };
  return wrongFields(schema)
    .filter(({ value }) => typeof value === 'string' || typeof value === 'number')
    .filter(({ path: [name = ''], fault }) => hasForm(name) || !/instead$|surrogate/.test(fault))
    .map((wrong) => ({ ...wrong, value: String(wrong.value) }));
}

function nestedObjects(field: FieldSchema): FieldSchema[] {
  return variants(field).filter(({ properties }) => properties !== undefined);
}

function variants(field: FieldSchema): FieldSchema[] {
  if (Array.isArray(field.type)) return field.type.map((type) => ({ ...field, type }));
  return field.anyOf ?? [field];
}

function wrongValues(field: FieldSchema): { fault: string; value: unknown }[] {
  const allowed = variants(field);
  const values = [...wrongTypes(allowed), ...allowed.flatMap(outOfBounds)];
  return values.map(([fault, value]) => ({ fault, value }));
}

type Faulty = [fault: string, value: unknown];

function wrongTypes(allowed: FieldSchema[]): Faulty[] {
  const types = allowed.map(({ type }) => type);
  if (types.includes(undefined) && !allowed.some((variant) => variant.enum)) return [];
  const samples: [string, unknown][] = [
    ['null', null],
    ['string', 'a text'],
    ['number', 1.5],
    ['boolean', true],
    ['array', ['x']],
    ['object', { x: 1 }],
  ];
  const isAllowed = (type: string) => types.includes(type);
  return samples.filter(([type]) => !isAllowed(type)).map(([type, value]) => [`${type} instead`, value]);
}

function outOfBounds(field: FieldSchema): Faulty[] {
  const faults: Faulty[] = [];
  if (field.enum) faults.push(['not of the list', 'something else']);
  if (field.type === 'string') faults.push(...wrongTexts(field));
  if (field.minimum !== undefined) faults.push(['too small', field.minimum - 1]);
  if (field.maximum !== undefined) faults.push(['too large', field.maximum + 1]);
  if (field.type === 'array' && field.items) faults.push(['wrong item', [{ wrong: 1 }]]);
  if (field.type === 'object' && !field.properties) faults.push(...wrongFreeObjects());
  return faults;
}

function wrongTexts({ format, pattern, minLength, maxLength, enum: list }: FieldSchema): Faulty[] {
  const faults: Faulty[] = [];
  if (!list) faults.push(['NUL', NUL_TEXT], ['lone surrogate', LONE_SURROGATE]);
  if (minLength) faults.push(['too short', 'x'.repeat(minLength - 1)]);
  if (maxLength) faults.push(['too long', 'x'.repeat(maxLength + 1)]);
  if (pattern ?? format) faults.push(['malformed', ' ']);
  if (format === 'uuid') faults.push(['malformed', 'zzzzzzzz-0000-0000-0000-000000000000']);
  if (format === 'date-time') faults.push(...WRONG_DATES.map((date): Faulty => [`date ${date}`, date]));
  return faults;
}

function wrongFreeObjects(): Faulty[] {
  let deep: unknown = 1;
  for (let level = 0; level < 1000; level++) deep = { deep };
  return [
    ['NUL inside', { note: NUL_TEXT }],
    ['NUL in a key', { [NUL_TEXT]: 1 }],
    ['lone surrogate inside', { list: [LONE_SURROGATE] }],
    ['bottomless', deep],
    ['too large', { note: 'x'.repeat(70_000) }],
  ];
}
