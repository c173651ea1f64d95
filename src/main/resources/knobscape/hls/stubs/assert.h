#pragma once
void assert(int condition);
