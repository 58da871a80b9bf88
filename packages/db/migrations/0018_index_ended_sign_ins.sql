CREATE INDEX CONCURRENTLY IF NOT EXISTS "sessions_by_sso" ON "sessions" USING btree ("workspace_id","sso_id") WHERE "sessions"."sso_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sso_sessions_by_age" ON "sso_sessions" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "invitations_by_end" ON "invitations" USING btree ("expires_at");