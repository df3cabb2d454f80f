/** The shape of openapi.yaml. The generated data is type-checked against it. */

/** An OpenAPI 3.1 document, typed as far as the code reads it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly [field: string]: unknown };
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** By path, then by method in lower case; next to the methods: `parameters`. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<
    Record<'parameters' | 'securitySchemes' | 'responses' | 'schemas', Readonly<Record<string, JsonObject>>>
  >;
  readonly [field: string]: unknown;
}

export type JsonObject = Readonly<Record<string, unknown>>;
