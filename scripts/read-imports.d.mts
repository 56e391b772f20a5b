/** A relative specifier in a file; `type` where only types are taken of it. */
export interface Import {
  readonly specifier: string;
  readonly type: boolean;
}

export function readImports(text: string, lang?: 'ts' | 'tsx'): Import[];
