import type { Language } from '../core/language.ts';
import { interfaceDocument as documentOf } from '../openapi/interface-document.ts';
import { allSheets, endpoints, lookups } from '../resources/registry.ts';

/** The service's interface as an OpenAPI 3.1 document, plain data; what `catersheet interface` prints. */
export function interfaceDocument(language: Language = 'en'): Record<string, unknown> {
  return documentOf({ endpoints: [...endpoints, ...lookups], resources: allSheets, language });
}
