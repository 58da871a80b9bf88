CREATE TABLE "retired_field_values" (
	"workspace_id" uuid NOT NULL,
	"field_id" uuid NOT NULL,
	"record_id" uuid NOT NULL,
	"value" jsonb NOT NULL,
	CONSTRAINT "retired_field_values_workspace_id_field_id_record_id_pk" PRIMARY KEY("workspace_id","field_id","record_id")
);
--> statement-breakpoint
CREATE TABLE "retired_fields" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"key" text NOT NULL,
	"definition" jsonb NOT NULL,
	"value_count" integer NOT NULL,
	"retired_at" timestamptz(3) NOT NULL,
	"purge_at" timestamptz(3) NOT NULL,
	"retired_by_id" uuid,
	CONSTRAINT "retired_fields_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "refused_calls" ALTER COLUMN "size_bytes" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "rule_runs" ADD COLUMN "skipped" jsonb;--> statement-breakpoint
ALTER TABLE "retired_field_values" ADD CONSTRAINT "retired_field_values_field" FOREIGN KEY ("workspace_id","field_id") REFERENCES "public"."retired_fields"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retired_fields" ADD CONSTRAINT "retired_fields_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "retired_fields_key" ON "retired_fields" USING btree ("workspace_id","entity_type","key");--> statement-breakpoint
CREATE INDEX "retired_fields_due" ON "retired_fields" USING btree ("purge_at");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "notifications_at" ON "notifications" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "deliveries_at" ON "deliveries" USING btree ("attempted_at");--> statement-breakpoint
CREATE INDEX "refused_calls_at" ON "refused_calls" USING btree ("at");--> statement-breakpoint
CREATE INDEX "rule_runs_by_rule_state" ON "rule_runs" USING btree ("workspace_id","rule_id","state","id");--> statement-breakpoint
CREATE INDEX "rule_runs_finished" ON "rule_runs" USING btree ("finished_at") WHERE "rule_runs"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_by_state" ON "workflow_runs" USING btree ("workspace_id","state","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_by_workflow_state" ON "workflow_runs" USING btree ("workspace_id","workflow_id","state","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_finished" ON "workflow_runs" USING btree ("finished_at") WHERE "workflow_runs"."finished_at" is not null;