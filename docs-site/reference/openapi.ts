/** The parts of an OpenAPI 3.1 document that the reference uses. */
export interface OpenApiDocument {
  info: { title: string; description: string; version: string };
  tags: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  webhooks: Readonly<Record<string, { post: OpenApiWebhook }>>;
  components: {
    headers: Readonly<Record<string, OpenApiHeader>>;
    examples: Readonly<Record<string, { value: { message: string } }>>;
    parameters: Readonly<Record<string, OpenApiParameter>>;
    schemas: Readonly<Record<string, Schema>>;
  };
}

export interface OpenApiOperation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  security: readonly { apiKey: readonly string[] }[];
  parameters: readonly OpenApiParameter[];
  requestBody?: { required: boolean; content: Readonly<Record<string, OpenApiContent>> };
  responses: Readonly<Record<string, OpenApiResponse>>;
}

interface OpenApiWebhook {
  summary: string;
  description: string;
  requestBody: { content: Readonly<Record<string, OpenApiContent>> };
}

export interface OpenApiParameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: string | number;
}

interface OpenApiHeader {
  description: string;
  required: boolean;
  schema: Schema;
}

interface OpenApiContent {
  schema: Schema;
  example?: unknown;
  examples?: Readonly<Record<string, { value: unknown }>>;
}

export interface OpenApiResponse {
  description: string;
  headers?: Readonly<Record<string, unknown>>;
  content?: Readonly<Record<string, OpenApiContent>>;
  'x-error-codes'?: readonly string[];
}

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  enum?: readonly string[];
  const?: string | number | boolean;
  default?: string | number | boolean;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}
