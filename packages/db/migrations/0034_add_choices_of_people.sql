ALTER TABLE "employees" ADD COLUMN "start_page" text;--> statement-breakpoint
ALTER TABLE "employees" ADD COLUMN "pinned" text[];--> statement-breakpoint
ALTER TABLE "employees" ADD COLUMN "unfolded" text[];--> statement-breakpoint
ALTER TABLE "employees" ADD COLUMN "monthly_goal" numeric;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD COLUMN "density" text;