CREATE INDEX CONCURRENTLY IF NOT EXISTS "timeline_by_via" ON "timeline" USING btree ("workspace_id","via_id","id") WHERE "timeline"."via_id" is not null;
