-- A role that can do all that workers do, and nothing more: it makes and drops no table, adds no run and takes none away.
-- With -v starts=on, one that also starts runs, goes on with them and copies them here.
-- The owner of the database opens the store once, which makes its tables, and then runs this; again after an update that adds tables:
--   memscope runs --store postgres://owner@host/runs
--   psql postgres://owner@host/runs -v role=memscope_worker -f role.sql
-- Give the role its password, or however else it proves itself, yourself: ALTER ROLE memscope_worker PASSWORD '…'
\set ON_ERROR_STOP on
\if :{?role}
\else
  \set role memscope_worker
\endif

SELECT NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'role') AS is_new \gset
\if :is_new
  CREATE ROLE :"role" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT;
\endif

REVOKE ALL ON SCHEMA memscope FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA memscope FROM :"role";
GRANT USAGE ON SCHEMA memscope TO :"role";
GRANT SELECT ON ALL TABLES IN SCHEMA memscope TO :"role";
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA memscope TO :"role";

-- Kept for good: added to, and of runs also changed.
GRANT INSERT ON memscope.memory, memscope.snapshot, memscope.vector, memscope.log TO :"role";
GRANT INSERT, UPDATE ON memscope.life, memscope.fact_verdict, memscope.store_side, memscope.worker,
  memscope.rate, memscope.purse TO :"role";

-- Taken away again where a life begins anew, a reply is of no use, a call has ended, or a plan has changed.
GRANT INSERT, UPDATE, DELETE ON memscope.moment, memscope.ingest, memscope.witness, memscope.answer, memscope.grade,
  memscope.counterfactual, memscope.reply, memscope.holder, memscope.unit, memscope.reservation, memscope.batch, memscope.batch_line TO :"role";

-- How far a run is. What is asked for stands in its row, which is for those who start runs.
GRANT UPDATE (status, elapsed_ms, embedded_texts, embedding_ms) ON memscope.run TO :"role";
GRANT UPDATE ON memscope.job TO :"role";
\if :{?starts}
  GRANT INSERT, UPDATE ON memscope.run, memscope.job TO :"role";
\endif
