/** Raised with every change of the tables below; a store of an older version is brought up to it, any other is refused. */
export const SCHEMA_VERSION = 7

const ATTEMPTS = `CREATE TABLE attempt (life INTEGER PRIMARY KEY, count INTEGER NOT NULL);
CREATE TABLE holder (run TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;`

const STORE_SIDE = `CREATE TABLE store_side (
  judge TEXT NOT NULL, snapshot TEXT NOT NULL, question TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (judge, snapshot, question)
) WITHOUT ROWID;`

/** Tables with a row for every question at every depth of a life. A depth is written `5`, `1000t` or `all`. */
const OF_ASKS = `CREATE TABLE witness (
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
) WITHOUT ROWID;`

/**
 * Entries of memories are kept once by content. A snapshot is a full list or a delta to its parent; `cost` is what it takes to rebuild it,
 * so that chains of deltas never cost more than twice a full copy.
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
${ATTEMPTS}
CREATE TABLE moment (
  life INTEGER NOT NULL, moment TEXT NOT NULL, snapshot TEXT, entries INTEGER, tokens INTEGER, PRIMARY KEY (life, moment)
) WITHOUT ROWID;
CREATE TABLE fact_verdict (
  judge TEXT NOT NULL, snapshot TEXT NOT NULL, fact TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (judge, snapshot, fact)
) WITHOUT ROWID;
${STORE_SIDE}
CREATE TABLE ingest (life INTEGER PRIMARY KEY, body TEXT NOT NULL);
${OF_ASKS}
`

/** Version 6 kept a depth as a number, `k`: memories from 1 up, -1 for all, tokens below that; and once more in every body. */
const DEPTH_OF_6 = "CASE WHEN k = -1 THEN 'all' WHEN k < -1 THEN -k || 't' ELSE CAST(k AS TEXT) END"
const BODY_OF_6 = "json_remove(body, '$.question', '$.k')"

/** What makes tables of an older version those of the next, by the older version. */
export const MIGRATIONS: Readonly<Record<number, string>> = {
  3: `
ALTER TABLE probe RENAME TO probe_3;
CREATE TABLE probe (
  life INTEGER NOT NULL, probe TEXT NOT NULL, snapshot TEXT, entries INTEGER, tokens INTEGER, PRIMARY KEY (life, probe)
) WITHOUT ROWID;
INSERT INTO probe SELECT * FROM probe_3;
DROP TABLE probe_3;
ALTER TABLE witness ADD COLUMN sizes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE witness ADD COLUMN ms REAL;
`,
  4: ATTEMPTS,
  5: STORE_SIDE,
  6: `
ALTER TABLE life RENAME COLUMN system TO subject;
ALTER TABLE probe RENAME COLUMN probe TO moment;
ALTER TABLE probe RENAME TO moment;
ALTER TABLE witness RENAME TO witness_6;
ALTER TABLE answer RENAME TO answer_6;
ALTER TABLE counterfactual RENAME TO counterfactual_6;
ALTER TABLE grade RENAME TO grade_6;
${OF_ASKS}
INSERT INTO witness SELECT life, question, ${DEPTH_OF_6}, probe, retrieved, scores, retrieved_snapshot, context_tokens,
  tokens, cost, repairs, error, sizes, ms FROM witness_6;
INSERT INTO answer SELECT life, reader, question, ${DEPTH_OF_6}, ${BODY_OF_6} FROM answer_6;
INSERT INTO counterfactual SELECT life, reader, judge, question, ${DEPTH_OF_6}, ${BODY_OF_6} FROM counterfactual_6;
INSERT INTO grade SELECT life, reader, judge, question, ${DEPTH_OF_6}, ${BODY_OF_6} FROM grade_6;
DROP TABLE witness_6; DROP TABLE answer_6; DROP TABLE counterfactual_6; DROP TABLE grade_6;
`,
}
