CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_seq" ON "audit_log" USING btree ("workspace_id","seq");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_unsealed" ON "audit_log" USING btree ("workspace_id","at","id") WHERE "audit_log"."hash" is null;
