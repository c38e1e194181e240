import { UserError } from '../../base/errors.js'
import { addressWithoutSecrets, type PgClient } from './client.js'

/** Raised with every change below; a store of any other version is refused. */
const VERSION = 1

/** Text is compared byte by byte, as SQLite does, whatever the database's own order. */
const TEXT = 'text COLLATE "C"'
const OF_ASKS = `question ${TEXT} NOT NULL, depth ${TEXT} NOT NULL`

/** The tables of a run store, as in SQLite. Free text is kept as JSON: it may hold a NUL, which PostgreSQL has no place for. */
const RUNS = `
CREATE TABLE memscope.run (
  n bigint GENERATED ALWAYS AS IDENTITY, id ${TEXT} PRIMARY KEY, created ${TEXT} NOT NULL, status ${TEXT} NOT NULL, setting ${TEXT} NOT NULL,
  subjects text NOT NULL, request text NOT NULL, elapsed_ms float8 NOT NULL, embedded_texts float8 NOT NULL, embedding_ms float8 NOT NULL
);
CREATE TABLE memscope.life (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run ${TEXT} NOT NULL, subject ${TEXT} NOT NULL, scenario ${TEXT} NOT NULL,
  trial integer NOT NULL, attempts integer NOT NULL DEFAULT 0, UNIQUE (run, subject, scenario, trial)
);
CREATE TABLE memscope.memory (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash ${TEXT} NOT NULL UNIQUE, body text NOT NULL);
CREATE TABLE memscope.snapshot (
  hash ${TEXT} PRIMARY KEY, parent ${TEXT}, added text NOT NULL, removed text NOT NULL, cost float8 NOT NULL
);
CREATE TABLE memscope.moment (
  life integer NOT NULL, moment ${TEXT} NOT NULL, snapshot ${TEXT}, entries integer, tokens integer, PRIMARY KEY (life, moment)
);
CREATE TABLE memscope.ingest (life integer PRIMARY KEY, body text NOT NULL);
CREATE TABLE memscope.witness (
  life integer NOT NULL, ${OF_ASKS}, probe ${TEXT} NOT NULL, retrieved text NOT NULL, scores text NOT NULL, retrieved_snapshot ${TEXT},
  context_tokens integer NOT NULL, tokens text NOT NULL, cost float8, repairs text, error text NOT NULL, sizes text NOT NULL, ms float8,
  PRIMARY KEY (life, question, depth)
);
CREATE TABLE memscope.answer (
  life integer NOT NULL, reader ${TEXT} NOT NULL, ${OF_ASKS}, body text NOT NULL, PRIMARY KEY (life, reader, question, depth)
);
CREATE TABLE memscope.grade (
  life integer NOT NULL, reader ${TEXT} NOT NULL, judge ${TEXT} NOT NULL, ${OF_ASKS}, body text NOT NULL,
  PRIMARY KEY (life, reader, judge, question, depth)
);
CREATE TABLE memscope.counterfactual (LIKE memscope.grade INCLUDING ALL);
CREATE TABLE memscope.fact_verdict (
  judge ${TEXT} NOT NULL, snapshot ${TEXT} NOT NULL, part ${TEXT} NOT NULL, body text NOT NULL, PRIMARY KEY (snapshot, judge, part)
);
CREATE TABLE memscope.store_side (LIKE memscope.fact_verdict INCLUDING ALL);
CREATE TABLE memscope.holder (run ${TEXT} PRIMARY KEY, worker ${TEXT} NOT NULL, token ${TEXT} NOT NULL, body text NOT NULL);
CREATE TABLE memscope.reply (key ${TEXT} PRIMARY KEY, model ${TEXT} NOT NULL, body text NOT NULL);
CREATE TABLE memscope.vector (key bytea PRIMARY KEY, body bytea NOT NULL);
CREATE TABLE memscope.batch (name ${TEXT} PRIMARY KEY, created float8 NOT NULL, remote text);
CREATE TABLE memscope.batch_line (id ${TEXT} PRIMARY KEY, batch ${TEXT} NOT NULL, call ${TEXT} NOT NULL, status integer, body text);
CREATE INDEX batch_line_batch ON memscope.batch_line (batch);
CREATE INDEX batch_line_call ON memscope.batch_line (call);
`

/**
 * What workers share. A unit is `waiting` for another, `todo`, `claimed` or `done`; its holder is alive while its worker's heartbeat is. A
 * reservation is a call that is under way, or was when its worker died. `request_at` and `token_at` are when the next call may go out.
 */
const WORK = `
CREATE TABLE memscope.job (run ${TEXT} PRIMARY KEY, halted text, logged boolean NOT NULL DEFAULT false);
CREATE TABLE memscope.unit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run ${TEXT} NOT NULL, name ${TEXT} NOT NULL, after ${TEXT}, weight integer NOT NULL,
  place integer NOT NULL, state ${TEXT} NOT NULL, owner ${TEXT}, fence bigint NOT NULL DEFAULT 0, ticket ${TEXT}, done_at timestamptz,
  UNIQUE (run, name)
) WITH (fillfactor = 70);
CREATE INDEX unit_open ON memscope.unit (run, place) WHERE state IN ('todo', 'claimed');
CREATE INDEX unit_after ON memscope.unit (run, after) WHERE state = 'waiting';
CREATE INDEX unit_owner ON memscope.unit (owner) WHERE state = 'claimed';
CREATE TABLE memscope.worker (
  id ${TEXT} PRIMARY KEY, run ${TEXT}, host text NOT NULL, pid integer NOT NULL, until timestamptz NOT NULL, seen timestamptz NOT NULL,
  stats text NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE memscope.rate (
  id ${TEXT} PRIMARY KEY, requests_per_minute float8, tokens_per_minute float8, concurrency integer, era integer NOT NULL DEFAULT 0,
  request_at timestamptz NOT NULL DEFAULT '-infinity', token_at timestamptz NOT NULL DEFAULT '-infinity',
  blocked_until timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 20);
CREATE TABLE memscope.purse (account ${TEXT} PRIMARY KEY, cap float8 NOT NULL, total float8 NOT NULL DEFAULT 0) WITH (fillfactor = 20);
CREATE TABLE memscope.reservation (
  id ${TEXT} PRIMARY KEY, worker ${TEXT} NOT NULL, rate ${TEXT} NOT NULL, key ${TEXT} UNIQUE, account ${TEXT}, usd float8 NOT NULL
);
CREATE INDEX reservation_account ON memscope.reservation (account);
CREATE INDEX reservation_rate ON memscope.reservation (rate);
CREATE TABLE memscope.log (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(), run ${TEXT} NOT NULL,
  unit bigint NOT NULL, fence bigint NOT NULL, worker ${TEXT}, what ${TEXT} NOT NULL
);
`

/**
 * Setting money and a place aside before a call, and what becomes of it. Rows are locked in one order: unit, rate, purse. A budget is written
 * through to the disk before the call goes out; without one nothing is lost that matters.
 */
const FUNCTIONS = `
CREATE OR REPLACE FUNCTION memscope.reserve(
  p_id text, p_worker text, p_unit bigint, p_fence bigint, p_rate text, p_key text, p_account text, p_usd float8, p_tokens float8
) RETURNS TABLE (outcome text, wait_ms float8, era integer, total float8, spent float8) LANGUAGE plpgsql AS $fn$
DECLARE
  at timestamptz := clock_timestamp();
  r memscope.rate;
  other text;
  alive boolean;
  slot timestamptz;
  held float8;
BEGIN
  total := 0; spent := 0; wait_ms := 0; era := 0;
  IF EXISTS (SELECT FROM memscope.reservation o WHERE o.id = p_id) THEN outcome := 'granted'; RETURN NEXT; RETURN; END IF;
  IF p_unit IS NOT NULL THEN
    PERFORM FROM memscope.unit u WHERE u.id = p_unit AND u.fence = p_fence AND u.state = 'claimed' FOR SHARE;
    IF NOT FOUND THEN outcome := 'lost'; RETURN NEXT; RETURN; END IF;
  END IF;
  IF p_key IS NOT NULL THEN
    IF EXISTS (SELECT FROM memscope.reply k WHERE k.key = p_key) THEN outcome := 'known'; RETURN NEXT; RETURN; END IF;
    SELECT o.id, w.until > at INTO other, alive
      FROM memscope.reservation o LEFT JOIN memscope.worker w ON w.id = o.worker WHERE o.key = p_key;
    IF alive THEN outcome := 'wait'; wait_ms := 150; RETURN NEXT; RETURN; END IF;
    IF other IS NOT NULL THEN
      PERFORM FROM memscope.reservation o WHERE o.id = other FOR UPDATE;
      -- It is in a batch that goes on without who sent it: what was set aside for it is taken over.
      UPDATE memscope.reservation o SET id = p_id, worker = p_worker
        WHERE o.id = other AND o.rate = p_rate AND EXISTS (SELECT FROM memscope.batch_line l WHERE l.call = p_key);
      IF FOUND THEN outcome := 'granted'; RETURN NEXT; RETURN; END IF;
    END IF;
  END IF;
  INSERT INTO memscope.rate (id) SELECT p_rate WHERE NOT EXISTS (SELECT FROM memscope.rate WHERE id = p_rate) ON CONFLICT DO NOTHING;
  SELECT * INTO r FROM memscope.rate WHERE id = p_rate;
  IF coalesce(r.requests_per_minute, r.tokens_per_minute, r.concurrency) IS NOT NULL THEN
    SELECT * INTO r FROM memscope.rate WHERE id = p_rate FOR UPDATE;
    at := clock_timestamp();
  END IF;
  era := coalesce(r.era, 0);
  -- What was not used in the last half second may be caught up with: providers count over a second or more.
  slot := greatest(at - interval '500 ms', r.request_at, r.token_at);
  wait_ms := greatest(0, 1000 * extract(epoch FROM greatest(slot, r.blocked_until) - at));
  IF r.blocked_until > at OR wait_ms > 2000 THEN
    outcome := 'wait'; wait_ms := least(2000, greatest(20, wait_ms - 1000 * (r.blocked_until <= at)::int)); RETURN NEXT; RETURN;
  END IF;
  IF r.concurrency IS NOT NULL AND r.concurrency <= (
    SELECT count(*) FROM memscope.reservation o JOIN memscope.worker w ON w.id = o.worker WHERE o.rate = p_rate AND w.until > at
  ) THEN outcome := 'wait'; wait_ms := 60; RETURN NEXT; RETURN; END IF;
  IF p_account IS NULL THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
  BEGIN
    IF r.requests_per_minute IS NOT NULL OR r.tokens_per_minute IS NOT NULL THEN
      UPDATE memscope.rate SET
        request_at = slot + coalesce(make_interval(secs => 60 / r.requests_per_minute), '0'),
        token_at = slot + coalesce(make_interval(secs => 60 * p_tokens / r.tokens_per_minute), '0')
      WHERE id = p_rate;
    END IF;
    IF p_account IS NOT NULL THEN
      UPDATE memscope.purse p SET total = p.total + p_usd WHERE p.account = p_account AND p.total + p_usd <= p.cap RETURNING p.total INTO total;
      IF NOT FOUND THEN RAISE EXCEPTION USING ERRCODE = 'MS001'; END IF;
    END IF;
    UPDATE memscope.reservation SET key = NULL WHERE id = other;
    INSERT INTO memscope.reservation (id, worker, rate, key, account, usd) VALUES (p_id, p_worker, p_rate, p_key, p_account, p_usd);
    outcome := 'granted';
  EXCEPTION
    WHEN unique_violation THEN outcome := 'wait'; wait_ms := 150;
    WHEN SQLSTATE 'MS001' THEN outcome := 'full'; wait_ms := 200;
  END;
  IF p_account IS NOT NULL THEN
    SELECT coalesce(sum(o.usd), 0) INTO held
      FROM memscope.reservation o JOIN memscope.worker w ON w.id = o.worker WHERE o.account = p_account AND w.until > at;
    SELECT p.total, p.total - held, CASE outcome WHEN 'full' THEN CASE WHEN p.total - held + p_usd > p.cap THEN 'refused' ELSE 'wait' END ELSE outcome END
      INTO total, spent, outcome FROM memscope.purse p WHERE p.account = p_account;
  END IF;
  RETURN NEXT;
END $fn$;

CREATE OR REPLACE FUNCTION memscope.release(p_id text, p_usd float8, p_tokens float8, p_pause_ms float8, p_era integer)
RETURNS integer LANGUAGE plpgsql AS $fn$
DECLARE
  o memscope.reservation;
  era_now integer := 0;
BEGIN
  SELECT * INTO o FROM memscope.reservation WHERE id = p_id;
  IF NOT FOUND THEN RETURN 0; END IF;
  IF o.account IS NULL THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
  IF p_pause_ms IS NOT NULL THEN
    UPDATE memscope.rate SET blocked_until = greatest(blocked_until, clock_timestamp() + make_interval(secs => p_pause_ms / 1000)),
      era = era + (era = p_era)::int WHERE id = o.rate;
  END IF;
  IF p_tokens <> 0 THEN
    UPDATE memscope.rate SET token_at = greatest(token_at, clock_timestamp()) + make_interval(secs => 60 * p_tokens / tokens_per_minute)
      WHERE id = o.rate AND tokens_per_minute IS NOT NULL;
  END IF;
  SELECT era INTO era_now FROM memscope.rate WHERE id = o.rate;
  DELETE FROM memscope.reservation WHERE id = p_id;
  IF FOUND AND o.account IS NOT NULL THEN
    -- Nothing was set aside for what is in the book already.
    UPDATE memscope.purse SET total = greatest(0, total - o.usd + coalesce(p_usd, o.usd)) WHERE account = o.account AND o.usd > 0;
  END IF;
  RETURN era_now;
END $fn$;

CREATE OR REPLACE FUNCTION memscope.keep_reply(
  p_id text, p_unit bigint, p_fence bigint, p_key text, p_model text, p_body text, p_usd float8, p_tokens float8
) RETURNS boolean LANGUAGE plpgsql AS $fn$
DECLARE
  u memscope.unit;
BEGIN
  IF p_unit IS NOT NULL THEN
    SELECT * INTO u FROM memscope.unit WHERE id = p_unit AND fence = p_fence AND state = 'claimed' FOR SHARE;
    IF NOT FOUND THEN
      PERFORM memscope.release(p_id, p_usd, p_tokens, NULL, NULL);
      RETURN false;
    END IF;
    INSERT INTO memscope.log (run, unit, fence, worker, what)
      SELECT u.run, u.id, u.fence, u.owner, 'reply' FROM memscope.job j WHERE j.run = u.run AND j.logged;
  END IF;
  INSERT INTO memscope.reply VALUES (p_key, p_model, p_body) ON CONFLICT (key) DO UPDATE SET model = excluded.model, body = excluded.body;
  DELETE FROM memscope.batch_line WHERE call = p_key AND status IS NOT NULL;
  PERFORM memscope.release(p_id, p_usd, p_tokens, NULL, NULL);
  RETURN true;
END $fn$;
`

/** Two processes that open an empty store make its tables one after the other; the lock ends with the transaction. */
const LOCK = 7_240_022

/** Makes the tables of a store where there are none; a store of another version is refused. */
export async function prepareStore(client: PgClient, url: string): Promise<void> {
  const found = await versionOf(client)
  if (found === VERSION) return
  if (found !== 0)
    throw new UserError(
      `${addressWithoutSecrets(url)} was written by another version of Memscope (tables ${found}, expected ${VERSION}).`,
      'Begin anew in another database, or use the version that wrote it.',
    )
  // Statements that are sent together are one transaction.
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK}); CREATE SCHEMA IF NOT EXISTS memscope;
    CREATE TABLE IF NOT EXISTS memscope.meta (version integer NOT NULL);
    INSERT INTO memscope.meta SELECT 0 WHERE NOT EXISTS (SELECT FROM memscope.meta);
    DO $steps$ BEGIN IF (SELECT version FROM memscope.meta) = 0 THEN ${RUNS}${WORK}${FUNCTIONS} UPDATE memscope.meta SET version = ${VERSION}; END IF; END $steps$;`)
}

async function versionOf(client: PgClient): Promise<number> {
  const [there] = await client.query<{ found: boolean }>("SELECT to_regclass('memscope.meta') IS NOT NULL AS found")
  if (!there?.found) return 0
  const [row] = await client.query<{ version: number }>('SELECT version FROM memscope.meta')
  return row?.version ?? 0
}
