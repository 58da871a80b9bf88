CREATE TABLE "booking_mails" (
	"workspace_id" uuid NOT NULL,
	"booking_id" uuid NOT NULL,
	"news" text NOT NULL,
	"sequence" integer NOT NULL,
	"manage_token" text NOT NULL,
	"to_guest" boolean DEFAULT true NOT NULL,
	"to_organizer" boolean DEFAULT true NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamptz(3) NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "booking_mails_workspace_id_booking_id_pk" PRIMARY KEY("workspace_id","booking_id")
);
--> statement-breakpoint
CREATE TABLE "calendar_feeds" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "calendar_feeds_workspace_id_employee_id_pk" PRIMARY KEY("workspace_id","employee_id"),
	CONSTRAINT "calendar_feeds_token" UNIQUE("workspace_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "calendar_subscriptions" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"next_fetch_at" timestamptz(3) DEFAULT now() NOT NULL,
	"fetched_at" timestamptz(3),
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"content" text,
	"revision" integer DEFAULT 0 NOT NULL,
	"read_revision" integer DEFAULT 0 NOT NULL,
	"read_until" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "calendar_subscriptions_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "calendar_events" ADD COLUMN "subscription_id" uuid;--> statement-breakpoint
ALTER TABLE "booking_mails" ADD CONSTRAINT "booking_mails_booking" FOREIGN KEY ("workspace_id","booking_id") REFERENCES "public"."bookings"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_subscriptions" ADD CONSTRAINT "calendar_subscriptions_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "booking_mails_due" ON "booking_mails" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "calendar_subscriptions_by_employee" ON "calendar_subscriptions" USING btree ("workspace_id","employee_id");--> statement-breakpoint
CREATE INDEX "calendar_subscriptions_due" ON "calendar_subscriptions" USING btree ("next_fetch_at");--> statement-breakpoint
ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_subscription" FOREIGN KEY ("workspace_id","subscription_id") REFERENCES "public"."calendar_subscriptions"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "calendar_events_by_subscription" ON "calendar_events" USING btree ("workspace_id","subscription_id") WHERE "calendar_events"."subscription_id" IS NOT NULL;