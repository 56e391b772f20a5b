import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import type { DraftDocument } from '../../../contract/documents.ts';
import { goOnWith } from '../../begin.ts';
import { say, sayCount, sizeText } from '../../language.ts';
import { asCallError } from '../../loaded.ts';
import { Button } from '../../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { Icon } from '../../pieces/icon.tsx';
import { announce, toast } from '../../pieces/toast.tsx';
import { isTable, TAKEN, type Upload, uploadDocument, uploadFile } from '../../upload.ts';
import { filesOf, useWindowDrop } from '../../window-drop.ts';

const TITLE = t('Drop a workbook or CSV here', 'Zet hier een werkmap of CSV neer');
const LET_GO = t('Let go to read it', 'Laat los om het te lezen');
const CHOOSE = t('Choose a file', 'Kies een bestand');
const SAFE = t(
  'Nothing is sent yet: you see every change first.',
  'Er wordt nog niets verstuurd: je ziet eerst elke wijziging.',
);
const ONE = t(
  'One file at a time: these were {n}. Drop the one to begin with.',
  'Eén bestand tegelijk: dit waren er {n}. Zet het eerste neer waar je mee wilt beginnen.',
);
const ONE_LEFT = t(
  '1 other file was not taken: this one uploads no documents.',
  '1 ander bestand is niet meegenomen: dit bestand uploadt geen documenten.',
);
const LEFT = t(
  '{n} other files were not taken: this one uploads no documents.',
  '{n} andere bestanden zijn niet meegenomen: dit bestand uploadt geen documenten.',
);
const BRINGING = t('Reading {name}', '{name} wordt gelezen');
const CANCEL = t('Cancel', 'Annuleren');

/** A file on its way here, with how much of it is there. */
interface Bringing {
  readonly name: string;
  readonly bytes: number;
  readonly part: number;
  readonly upload: Upload;
}

/** The one workbook or CSV among files, and what goes with it; where there are more, the first one. */
function apart(files: readonly File[]): {
  readonly file: File | undefined;
  readonly beside: readonly File[];
} {
  const tables = files.filter(({ name }) => isTable(name));
  const [only] = tables;
  if (only === undefined || tables.length > 1) return { file: files[0], beside: [] };
  return { file: only, beside: files.filter((one) => one !== only) };
}

/** Puts documents beside the sheet that they were dropped with, where it is one of documents. */
async function bringBeside({ id, use }: DraftDocument, files: readonly File[]): Promise<void> {
  if (use !== 'documents') {
    toast(sayCount(files.length, ONE_LEFT, LEFT), 'bad');
    return;
  }
  // What is not taken is told where the documents are shown: its row still lacks it.
  for (const file of files) await uploadDocument(id, file, () => {}).done.catch(() => {});
}

/** What is brought now, what went wrong, and how a file is taken. */
function useBringing() {
  const bringing = useSignal<Bringing | null>(null);
  const wrong = useSignal<Wrong | null>(null);
  /** `beside`: documents that go with it. */
  const bring = async (file: File, beside: readonly File[] = []): Promise<void> => {
    const { name, size: bytes } = file;
    const upload = uploadFile(file, (part) => {
      if (bringing.peek() !== null) bringing.value = { name, bytes, part, upload };
    });
    bringing.value = { name, bytes, part: 0, upload };
    announce(say(BRINGING, { name }));
    try {
      const draft = await upload.done;
      if (beside.length > 0) await bringBeside(draft, beside);
      await goOnWith(draft);
    } catch (error) {
      if (!(error instanceof DOMException)) wrong.value = asCallError(error);
    } finally {
      bringing.value = null;
    }
  };
  const take = (files: readonly File[]): void => {
    const { file, beside } = apart(files);
    if (file === undefined || bringing.peek() !== null) return;
    wrong.value = null;
    if (files.length - beside.length > 1)
      wrong.value = { message: say(ONE, { n: files.length }), next: null };
    else void bring(file, beside);
  };
  return { bringing: bringing.value, wrong: wrong.value, take };
}

/** Takes a workbook or CSV that is dropped anywhere on the window, or chosen. */
export function DropZone(): JSX.Element {
  const over = useSignal(false);
  const { bringing, wrong, take } = useBringing();
  useWindowDrop(
    (isOver) => {
      over.value = isOver;
    },
    (event) => take(filesOf(event)),
  );
  return (
    <section aria-labelledby="drop-title">
      <div class={`drop ${over.value ? 'over' : ''}`}>
        <Icon name="drop" />
        <h2 id="drop-title">{say(over.value ? LET_GO : TITLE)}</h2>
        {bringing === null ? <Choose onChoose={take} /> : <Bring bringing={bringing} />}
      </div>
      {wrong !== null && <ErrorBox error={wrong} />}
    </section>
  );
}

function Choose({ onChoose }: { readonly onChoose: (files: readonly File[]) => void }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-hidden="true"
        accept={TAKEN}
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          // The same file, saved once more, can be chosen again.
          currentTarget.value = '';
        }}
      />
      <Button look="primary" icon="file" onClick={() => input.current?.click()}>
        {say(CHOOSE)}
      </Button>
      <p class="dim">{say(SAFE)}</p>
    </>
  );
}

function Bring({ bringing: { name, bytes, part, upload } }: { readonly bringing: Bringing }): JSX.Element {
  const title = say(BRINGING, { name });
  return (
    <div class="bring">
      <p>
        {title} <span class="dim">{sizeText(bytes)}</span>
      </p>
      <progress aria-label={title} max={1} value={part < 1 ? part : undefined} />
      <Button small onClick={() => upload.cancel()}>
        {say(CANCEL)}
      </Button>
    </div>
  );
}
