CREATE TABLE "notification_mails" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"kinds" text[] NOT NULL,
	"since" timestamptz(3) NOT NULL,
	CONSTRAINT "notification_mails_workspace_id_employee_id_pk" PRIMARY KEY("workspace_id","employee_id")
);
--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "mailed_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "notification_mails" ADD CONSTRAINT "notification_mails_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;