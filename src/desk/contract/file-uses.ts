/** What a file can be for: an import, or one of the commands with sheets of their own. */
export const FILE_USES = ['import', 'documents', 'invoices', 'refresh'] as const;

/** What a file is for. */
export type FileUse = (typeof FILE_USES)[number];
