CREATE TABLE "assignment_turns" (
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"step_key" text NOT NULL,
	"last_id" uuid NOT NULL,
	CONSTRAINT "assignment_turns_workspace_id_workflow_id_step_key_pk" PRIMARY KEY("workspace_id","workflow_id","step_key")
);
--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "started_by_run_id" uuid;--> statement-breakpoint
ALTER TABLE "assignment_turns" ADD CONSTRAINT "assignment_turns_workflow" FOREIGN KEY ("workspace_id","workflow_id") REFERENCES "public"."workflows"("workspace_id","id") ON DELETE cascade ON UPDATE no action;