ALTER TABLE "deliveries" ADD COLUMN "subject_type" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "subject_id" uuid;--> statement-breakpoint
ALTER TABLE "rule_runs" ADD COLUMN "subject_type" text;--> statement-breakpoint
ALTER TABLE "rule_runs" ADD COLUMN "subject_id" uuid;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "subject_type" text;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "subject_id" uuid;--> statement-breakpoint
-- What was logged before is shown no further than the record it told of; a comment's record is not known any more.
UPDATE rule_runs SET subject_type = upper(split_part(event, '.', 1)), subject_id = entity_id;--> statement-breakpoint
UPDATE deliveries d SET subject_type = coalesce(r.subject_type, 'UNKNOWN'), subject_id = coalesce(r.subject_id, d.id)
FROM deliveries o LEFT JOIN rule_runs r ON r.workspace_id = o.workspace_id AND r.id = o.rule_run_id
WHERE o.workspace_id = d.workspace_id AND o.id = coalesce(d.redelivery_of, d.id) AND o.rule_run_id IS NOT NULL;--> statement-breakpoint
UPDATE workflow_runs SET subject_type = workflow_runs.trigger->>'entityType', subject_id = (workflow_runs.trigger->>'entityId')::uuid
FROM workflow_versions v
WHERE v.workspace_id = workflow_runs.workspace_id AND v.workflow_id = workflow_runs.workflow_id AND v.version = workflow_runs.version AND v.trigger->>'type' = 'EVENT';
