/** Raised with every change of the tables below; a store of any other version is refused. */
export const SCHEMA_VERSION = 7

/**
 * Entries of memories are kept once by content. A snapshot is a full list or a delta to its parent; `cost` is what it takes to rebuild it,
 * so that chains of deltas never cost more than twice a full copy. A depth is written `5`, `1000t` or `all`.
 * Free text is kept as JSON, for it may hold a NUL, at which SQLite would cut it.
 */
export const SCHEMA = `
CREATE TABLE run (
  id TEXT PRIMARY KEY, created TEXT NOT NULL, status TEXT NOT NULL, setting TEXT NOT NULL,
  subjects TEXT NOT NULL, request TEXT NOT NULL, elapsed_ms INTEGER NOT NULL,
  embedded_texts INTEGER NOT NULL, embedding_ms INTEGER NOT NULL
);
CREATE TABLE life (
  id INTEGER PRIMARY KEY, run TEXT NOT NULL, subject TEXT NOT NULL, scenario TEXT NOT NULL, trial INTEGER NOT NULL,
  UNIQUE (run, subject, scenario, trial)
);
CREATE TABLE memory (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
CREATE TABLE snapshot (
  hash TEXT PRIMARY KEY, parent TEXT, added TEXT NOT NULL, removed TEXT NOT NULL, cost INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE attempt (life INTEGER PRIMARY KEY, count INTEGER NOT NULL);
CREATE TABLE holder (run TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE moment (
  life INTEGER NOT NULL, moment TEXT NOT NULL, snapshot TEXT, entries INTEGER, tokens INTEGER, PRIMARY KEY (life, moment)
) WITHOUT ROWID;
CREATE TABLE fact_verdict (
  judge TEXT NOT NULL, snapshot TEXT NOT NULL, fact TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (judge, snapshot, fact)
) WITHOUT ROWID;
CREATE TABLE store_side (
  judge TEXT NOT NULL, snapshot TEXT NOT NULL, question TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (judge, snapshot, question)
) WITHOUT ROWID;
CREATE TABLE ingest (life INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE witness (
  life INTEGER NOT NULL, question TEXT NOT NULL, depth TEXT NOT NULL, probe TEXT NOT NULL, retrieved TEXT NOT NULL, scores TEXT NOT NULL,
  retrieved_snapshot TEXT, context_tokens INTEGER NOT NULL,
  tokens TEXT NOT NULL, cost REAL, repairs TEXT, error TEXT NOT NULL, sizes TEXT NOT NULL DEFAULT '[]', ms REAL,
  PRIMARY KEY (life, question, depth)
) WITHOUT ROWID;
CREATE TABLE answer (
  life INTEGER NOT NULL, reader TEXT NOT NULL, question TEXT NOT NULL, depth TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (life, reader, question, depth)
) WITHOUT ROWID;
CREATE TABLE counterfactual (
  life INTEGER NOT NULL, reader TEXT NOT NULL, judge TEXT NOT NULL, question TEXT NOT NULL, depth TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (life, reader, judge, question, depth)
) WITHOUT ROWID;
CREATE TABLE grade (
  life INTEGER NOT NULL, reader TEXT NOT NULL, judge TEXT NOT NULL, question TEXT NOT NULL, depth TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (life, reader, judge, question, depth)
) WITHOUT ROWID;
`
