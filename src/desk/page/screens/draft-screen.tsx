import type { ComponentChildren, JSX } from 'preact';
import type { DraftDocument } from '../../contract/documents.ts';
import { call } from '../call.ts';
import { type Loaded, useLoaded } from '../loaded.ts';
import { ErrorBox } from '../pieces/error-box.tsx';
import { Icon } from '../pieces/icon.tsx';
import { Steps } from '../pieces/steps.tsx';
import type { Step } from '../router.ts';

/** What each step of a file is given. */
export interface StepProps {
  readonly draft: DraftDocument;
  readonly reload: () => void;
}

interface DraftProps {
  readonly id: string;
  readonly step: Step;
  readonly children: (props: StepProps) => ComponentChildren;
}

/** A file on its way: which one, which step, and that step. */
export function DraftScreen({ id, step, children }: DraftProps): JSX.Element {
  const loaded: Loaded<DraftDocument> = useLoaded(
    id,
    async (signal) => (await call('draft', { params: { draft: id }, signal })).draft,
    [['drafts', id]],
  );
  const { data: draft, error, reload } = loaded;
  return (
    <>
      <div class="draft-head">
        {draft !== null && (
          <>
            <p class="draft-file">
              <Icon name="sheet" />
              <strong>{draft.file.name}</strong>
            </p>
            <Steps draft={draft} step={step} />
          </>
        )}
      </div>
      {error !== null && <ErrorBox error={error} onRetry={reload} />}
      {draft !== null && children({ draft, reload })}
    </>
  );
}
