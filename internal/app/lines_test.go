package app_test

// lines is what a request may cost, in what does not depend on the machine: allocations of the whole process and trips
// to the database, begin and commit included. Whoever makes a path cheaper lowers its line to what the test then says
// (with -v) and 3 % more, for the runtime is not the same from run to run; nobody raises one without a reason in the commit.
var lines = []line{
	{work: "28 courses, newest first", sqlite: cost{9, 0}, postgres: cost{9, 0}},
	{work: "one course by id", sqlite: cost{9, 0}, postgres: cost{9, 0}},
	{work: "own saved courses", sqlite: cost{114, 1}, postgres: cost{111, 1}},
	{work: "save a course", sqlite: cost{225, 6}, postgres: cost{231, 2}},
	{work: "join a waitlist", sqlite: cost{431, 10}, postgres: cost{469, 3}},
	{work: "report progress", sqlite: cost{288, 5}, postgres: cost{303, 3}},
	{work: "GET user", sqlite: cost{190, 2}, postgres: cost{221, 2}},
	{work: "refresh", sqlite: cost{503, 8}, postgres: cost{493, 2}},
	{work: "home page", sqlite: cost{23, 0}, postgres: cost{23, 0}},
}
