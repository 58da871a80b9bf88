ALTER TABLE "workflows" ADD COLUMN "listens_to" text;--> statement-breakpoint
CREATE INDEX "workflows_listening" ON "workflows" USING btree ("workspace_id","listens_to") WHERE "workflows"."listens_to" is not null;--> statement-breakpoint
UPDATE "workflows" w SET "listens_to" = v."trigger"->>'event'
FROM "workflow_versions" v
WHERE v."workspace_id" = w."workspace_id" AND v."workflow_id" = w."id" AND v."version" = w."published_version"
  AND w."status" = 'PUBLISHED' AND v."trigger"->>'type' = 'EVENT';
