import Database from 'libsql';

type Side = 'before' | 'after';

let told: ((side: Side) => void) | undefined;

const { exec } = Database.prototype;

/** Calls `tell` right before and after whatever is committed in this process, until the answer is called. */
export function atCommits(tell: (side: Side) => void): () => void {
  told = tell;
  Database.prototype.exec = function (this: Database.Database, sql: string) {
    if (sql !== 'commit') return exec.call(this, sql);
    told?.('before');
    const done = exec.call(this, sql);
    told?.('after');
    return done;
  };
  return () => {
    told = undefined;
    Database.prototype.exec = exec;
  };
}
