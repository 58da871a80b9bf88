-- contract
-- Indexes that begin with the workspace, and the order of the expected close, took their places.
DROP INDEX "price_lists_companies";
--> statement-breakpoint
DROP INDEX "product_attribute_assignments_values";
--> statement-breakpoint
DROP INDEX "products_tags";
--> statement-breakpoint
DROP INDEX "deals_by_close_date";
--> statement-breakpoint
DROP INDEX "projects_members";
--> statement-breakpoint
DROP INDEX "tasks_members";
--> statement-breakpoint
DROP INDEX "leads_custom_fields";
--> statement-breakpoint
DROP INDEX "contacts_custom_fields";
--> statement-breakpoint
DROP INDEX "companies_custom_fields";
--> statement-breakpoint
DROP INDEX "deals_custom_fields";
--> statement-breakpoint
DROP INDEX "custom_records_custom_fields";
--> statement-breakpoint
DROP INDEX "leads_messengers";
