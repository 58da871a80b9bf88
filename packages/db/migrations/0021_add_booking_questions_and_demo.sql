CREATE TABLE "demo_records" (
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"id" uuid NOT NULL,
	"kept" boolean DEFAULT false NOT NULL,
	CONSTRAINT "demo_records_workspace_id_kind_id_pk" PRIMARY KEY("workspace_id","kind","id")
);
--> statement-breakpoint
ALTER TABLE "booking_links" ADD COLUMN "questions" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "answers" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "cancel_reason" text;--> statement-breakpoint
ALTER TABLE "demo_records" ADD CONSTRAINT "demo_records_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;