import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import { say } from '../../language.ts';
import { asCallError } from '../../loaded.ts';
import { Button } from '../../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { TAKEN, uploadNamed } from '../../upload.ts';

const WHAT = t(
  'A workbook or CSV with a column ProductID or ExternalID.',
  'Een werkmap of CSV met een kolom ProductID of ExternalID.',
);
const CHOOSE = t('Choose a file', 'Kies een bestand');
const OTHER = t('Choose another file', 'Kies een ander bestand');

/** A file that was brought for an export. */
export interface NamedFile {
  readonly id: string;
  readonly name: string;
}

interface NamedProps {
  readonly file: NamedFile | null;
  readonly onFile: (file: NamedFile | null) => void;
}

/** A file that names the products to export, chosen and brought at once. */
export function NamedProducts({ file, onFile }: NamedProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const busy = useSignal(false);
  const wrong = useSignal<Wrong | null>(null);
  // What else was chosen while the file came stays.
  const heard = useRef(onFile);
  heard.current = onFile;
  const bring = async (chosen: File): Promise<void> => {
    busy.value = true;
    wrong.value = null;
    onFile(null);
    await uploadNamed(chosen).then(
      (brought) => heard.current(brought),
      (error: unknown) => {
        wrong.value = asCallError(error);
      },
    );
    busy.value = false;
  };
  return (
    <div class="named-products">
      <p class="dim">{say(WHAT)}</p>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-hidden="true"
        accept={TAKEN}
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? [];
          if (chosen !== undefined) void bring(chosen);
          currentTarget.value = '';
        }}
      />
      <div class="actions">
        <Button small icon="file" busy={busy.value} onClick={() => input.current?.click()}>
          {say(file === null ? CHOOSE : OTHER)}
        </Button>
        {file !== null && <b>{file.name}</b>}
      </div>
      {wrong.value !== null && <ErrorBox error={wrong.value} />}
    </div>
  );
}
