ALTER TABLE "refused_calls" ALTER COLUMN "size_bytes" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "rule_runs" ADD COLUMN "skipped" jsonb;--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "notifications_at" ON "notifications" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "deliveries_at" ON "deliveries" USING btree ("attempted_at");--> statement-breakpoint
CREATE INDEX "refused_calls_at" ON "refused_calls" USING btree ("at");--> statement-breakpoint
CREATE INDEX "rule_runs_by_rule_state" ON "rule_runs" USING btree ("workspace_id","rule_id","state","id");--> statement-breakpoint
CREATE INDEX "rule_runs_finished" ON "rule_runs" USING btree ("finished_at") WHERE "rule_runs"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_by_state" ON "workflow_runs" USING btree ("workspace_id","state","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_by_workflow_state" ON "workflow_runs" USING btree ("workspace_id","workflow_id","state","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_finished" ON "workflow_runs" USING btree ("finished_at") WHERE "workflow_runs"."finished_at" is not null;